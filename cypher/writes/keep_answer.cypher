// keep_answer: keep the answer to a request under its key.
// params:  id (string), key (string), palace (string or null), request (string: hash), status (int), answer (string: JSON), says (string or null: the palace, if the answer has words)
// returns: request (string)
// runs:    implicit transaction, safe to repeat
MERGE (k:WriteKey {id: $id})
ON CREATE SET
  k.key = $key, k.palace = $palace, k.request = $request, k.at = datetime(), k.status = $status, k.answer = $answer,
  k.says = $says
RETURN k.request AS request
