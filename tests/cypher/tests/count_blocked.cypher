// count_blocked: count the transactions that wait for a lock of another one.
// params:
// returns: blocked (int)
// runs:    auto-commit, reads
SHOW TRANSACTIONS YIELD status
WHERE status STARTS WITH 'Blocked'
RETURN count(*) AS blocked
