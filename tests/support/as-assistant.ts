import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { AssistantFile } from '../../src/engine/own/assistant-file.ts'
import { RunningLinnet } from '../../src/cli/running-linnet.ts'

/** Writes to the first account's assistant file and makes running windows reread it, as an MCP server does. */
export const asAssistant = async <Value>(
  dataDirectory: string,
  write: (file: AssistantFile) => Value,
): Promise<Value> => {
  const accounts = join(dataDirectory, 'accounts')
  const [accountId = ''] = readdirSync(accounts)
  const file = AssistantFile.open(join(accounts, accountId))
  let written: Value
  try {
    written = write(file)
  } finally {
    file.close()
  }
  const running = await RunningLinnet.find(dataDirectory)
  if (running === null) throw new Error('Linnet is not running with this folder.')
  const told = await running.ask(accountId, 'assistant.written', {})
  running.close()
  if (!told.ok) throw new Error(told.error.message)
  return written
}
