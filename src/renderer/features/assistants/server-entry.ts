import type { AssistantServer } from '../../../shared/assistants.ts'

/** What assistants' configurations have of a server, as most of them write it (Claude Desktop's `mcpServers`). */
export const serverEntry = ({ command, args }: AssistantServer): string =>
  `{ "mcpServers": { "linnet": { "command": ${JSON.stringify(command)}, "args": [${args.map((arg) => JSON.stringify(arg)).join(', ')}] } } }`
