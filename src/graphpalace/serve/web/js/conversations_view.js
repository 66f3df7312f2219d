// Conversations: the time line of a palace, or one conversation, as the address says.

import { ConversationList } from "./conversation_list.js";
import { ConversationPage } from "./conversation_page.js";
import { ListOrPageView } from "./list_or_page_view.js";

export class ConversationsView extends ListOrPageView {
  constructor(app) {
    super(app, {
      list: new ConversationList(app),
      page: new ConversationPage(app),
      key: "conversation",
      left: "#/conversations?",
      name: "conversations-view",
      label: "Conversations",
    });
  }
}
