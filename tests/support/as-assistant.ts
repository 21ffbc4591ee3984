import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { joinAssistantStore, type AssistantStore } from '../../src/engine/own/assistant-store.ts'
import { RunningLinnet } from '../../src/cli/running-linnet.ts'

/** Writes for an assistant to the first account and makes running windows reread it, as an MCP server does. */
export const asAssistant = async <Value>(
  dataDirectory: string,
  write: (store: AssistantStore) => Value,
): Promise<Value> => {
  const accounts = join(dataDirectory, 'accounts')
  const [accountId = ''] = readdirSync(accounts)
  const joined = joinAssistantStore(join(accounts, accountId))
  let written: Value
  try {
    written = write(joined.store)
  } finally {
    joined.close()
  }
  const running = await RunningLinnet.find(dataDirectory)
  if (running === null) throw new Error('Linnet is not running with this folder.')
  const told = await running.ask(accountId, 'assistant.written', {})
  running.close()
  if (!told.ok) throw new Error(told.error.message)
  return written
}
