"""Filing messages of conversations, and reading the conversations of a palace."""

from __future__ import annotations

from graphpalace.domain.access.caller import Role
from graphpalace.domain.conversations import (
    ConversationDrawers,
    ConversationGroups,
    ConversationListing,
    ConversationPage,
    ConversationQuery,
    FiledConversation,
    GroupQuery,
    MessagesRequest,
)
from graphpalace.errors import InvalidInput, NotFound
from graphpalace.offers.offer import Group, Offer

FILE_MESSAGES = Offer(  # the client's method takes mappings, too
    "conversations.file_messages",
    "POST /v1/messages",
    MessagesRequest,
    FiledConversation,
    "File messages of a conversation word for word. Those that are filed already are left as they are.",
    more="Secrets are masked. To finish after an error, send the same request again.",
    example={
        "host": "my-agent",
        "conversation": "2026-05-31-1",
        "project": "greenhouse",
        "messages": [
            {"id": "1", "speaker": "user", "text": "When do we sow the tomatoes?"},
            {"id": "2", "speaker": "assistant", "text": "In the first week of March."},
        ],
    },
)
LIST_CONVERSATIONS = Offer(  # the client's method yields the conversations of all pages
    "conversations.list",
    "GET /v1/conversations",
    ConversationListing,
    ConversationPage,
    "List conversations page by page. The one that was filed last comes first, or the one with the latest turn.",
)
GROUP_CONVERSATIONS = Offer(
    "conversations.groups",
    "GET /v1/conversations/groups",
    GroupQuery,
    ConversationGroups,
    "Count the conversations of each wing, project and host, and show when the first began and the last ended.",
    role=Role.READ,
    raises={NotFound: "the palace does not exist"},
    gives="groups",
)
SHOW_CONVERSATION = Offer(
    "conversations.show",
    "GET /v1/conversations/{host}/{conversation:path}",
    ConversationQuery,
    ConversationDrawers,
    "Read a conversation: its drawers in the order in which they were said, and how many secrets were masked.",
    raises={
        NotFound: "the palace, the wing or the conversation does not exist",
        InvalidInput: "a value is not possible",
    },
    positional=("host", "conversation"),
)
READING = Group(
    "ConversationReading",
    "The conversations of a palace, as they are read.",
    (GROUP_CONVERSATIONS, SHOW_CONVERSATION),
)
