/** Measures the memory of an idle engine, then of one that has synced a large mailbox. Run with `--expose-gc`. */
import { accountDirectory, openBenchEngine, synced } from './bench-engine.ts'

const [emptyUrl = '', emptyKey = '', fullUrl = '', fullKey = ''] = process.argv.slice(2)

const weigh = async (baseUrl: string, apiKey: string): Promise<number> => {
  const engine = await openBenchEngine({ baseUrl, apiKey }, await accountDirectory({ days: 1 }))
  await synced(engine)
  globalThis.gc?.()
  const { rss } = process.memoryUsage()
  await engine.stop()
  return rss
}

const idle = await weigh(emptyUrl, emptyKey)
const full = await weigh(fullUrl, fullKey)
process.send?.([idle, full])
