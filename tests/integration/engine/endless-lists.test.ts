import { expect, it } from 'vitest'
import { FOLDERS } from '../../../src/shared/model.ts'
import { listenOnLoopback } from '../../support/loopback-server.ts'
import { createFolderQuery } from '../../../src/shared/thread-query.ts'
import { openSettledEngine } from './support/test-engine.ts'
import { startTestPlatform } from './support/test-platform.ts'

const PAGE = 20

/** A platform that claims after every page that more follow. */
const startEndlessPlatform = async (target: string, pages: 'repeats its first page' | 'begins again after its end') => {
  const requests: string[] = []
  const baseUrl = await listenOnLoopback((incoming, outgoing) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const url = new URL(incoming.url ?? '/', target)
      const headers = {
        authorization: incoming.headers.authorization ?? '',
        'user-agent': 'linnet-tests',
        'content-type': 'application/json',
      }
      const ask = async (cursor: string | null): Promise<void> => {
        const isList = incoming.method === 'GET' && url.searchParams.has('limit')
        if (isList) url.searchParams.set('limit', String(PAGE))
        if (cursor === null) url.searchParams.delete('after')
        const answer = await fetch(url, {
          method: incoming.method ?? 'GET',
          headers,
          ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
        })
        const body = (await answer.json()) as { readonly data?: readonly unknown[]; readonly has_more?: boolean }
        if (isList && cursor !== null && body.data?.length === 0) return ask(null)
        const sent = isList && (body.data?.length ?? 0) > 0 ? { ...body, has_more: true } : body
        outgoing.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(sent))
      }
      requests.push(`${url.pathname}?${url.searchParams.get('folders') ?? ''}`)
      ask(pages === 'repeats its first page' ? null : url.searchParams.get('after')).catch(() => outgoing.destroy())
    })
  })
  return { baseUrl, requests }
}

it.each(['repeats its first page', 'begins again after its end'] as const)(
  'stops reading a list that %s, and reports it',
  async (pages) => {
    const platform = await startTestPlatform({}, { dataset: 'demo' })
    const { baseUrl, requests } = await startEndlessPlatform(platform.baseUrl, pages)
    const full = await openSettledEngine(platform)
    const engine = await openSettledEngine({ ...platform, baseUrl })
    for (const folder of FOLDERS) {
      const query = createFolderQuery(platform.inboxId, folder)
      const { total } = await engine.call('thread.list', { query, offset: 0, limit: 1 })
      const all = (await full.call('thread.list', { query, offset: 0, limit: 1 })).total
      if (pages === 'begins again after its end') expect([folder, total]).toEqual([folder, all])
      else expect(total).toBeGreaterThanOrEqual(Math.min(PAGE, all))
    }
    const reported = (await engine.call('problem.list', {})).map(({ message }) => message)
    expect(reported).toContain(
      'The platform keeps repeating its list of threads in archive. Linnet stored what it received, but some items may be missing.',
    )
    for (const content of ['received mail', 'sent mail', 'contacts']) {
      expect(reported).toContainEqual(expect.stringContaining(`keeps repeating its list of ${content}`))
    }
    const asked = requests.length
    await engine.advance(10_000)
    expect(requests.length - asked).toBeLessThan(10)
    for (const list of new Set(requests)) expect(requests.filter((other) => other === list).length).toBeLessThan(200)
  },
)
