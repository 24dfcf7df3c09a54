// SPDX-License-Identifier: Apache-2.0
// The module as a language server in a process of its own: messages come and leave by the channel of the parent.
import { serve } from 'shaped-web/language';

interface Message {
  method?: string;
}

const ready = serve(message => process.send?.(message), { wasm: process.argv[2] });
process.on('message', (message: Message) => void ready.then(server => {
  if (message.method === 'exit') process.exit(0);
  server.handle(message);
}));
process.on('disconnect', () => process.exit(0));
