// Addresses of conversations, and of a choice of them.

export function conversationHref({ host, conversation, wing }) {
  return `#/conversations?${new URLSearchParams({ conversation: `${host}/${conversation}`, wing })}`;
}

export function choiceHref(choice) {
  const params = new URLSearchParams(Object.entries(choice).filter(([, value]) => value));
  return params.size ? `#/conversations?${params}` : "#/conversations";
}
