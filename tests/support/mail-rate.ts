import { createTransport } from 'nodemailer'

export interface MeasuredPlatform {
  readonly baseUrl: string
  readonly apiKey: string
  readonly inboxId: string
  readonly inboxAddress: string
  readonly smtpPort: number
}

/** Messages per second that a local platform accepts over four connections, alone and while it is being searched. */
export interface MailRate {
  readonly alone: number
  readonly beside: number
  /** Searches per second answered while mail arrived. */
  readonly searches: number
}

interface Taken {
  readonly messages: number
  readonly seconds: number
}

/** A common word, an absent word, attachments and senders, each in all folders: they read everything. */
const SEARCHES = ['query=invoice', 'query=nowhere', 'has_attachment=true', 'from=ada'].map(
  (query) => `${query}&folders=inbox,archive,sent,spam,trash`,
)
const CONNECTIONS = 4

/**
 * Alternates between mail alone and mail with searchers, so that other load affects both alike. A turn with searchers
 * lasts until each has had a response.
 */
export const measureMailRate = async (
  platform: MeasuredPlatform,
  { searchers, rounds, roundMs }: { readonly searchers: number; readonly rounds: number; readonly roundMs: number },
): Promise<MailRate> => {
  const smtp = createTransport({
    host: '127.0.0.1',
    port: platform.smtpPort,
    ignoreTLS: true,
    pool: true,
    maxConnections: CONNECTIONS,
    maxMessages: Infinity,
  })
  let sent = 0
  const sendUntil = async (isEnough: () => boolean): Promise<Taken> => {
    const start = performance.now()
    let messages = 0
    const connection = async (): Promise<void> => {
      while (performance.now() < start + roundMs || !isEnough()) {
        sent += 1
        await smtp.sendMail({
          from: 'Ann <ann@example.com>',
          to: platform.inboxAddress,
          subject: `Letter ${sent}`,
          text: 'A few words that nobody looks for. '.repeat(10),
        })
        messages += 1
      }
    }
    await Promise.all(Array.from({ length: CONNECTIONS }, connection))
    return { messages, seconds: (performance.now() - start) / 1000 }
  }
  const search = async (query: string): Promise<void> => {
    const answer = await fetch(`${platform.baseUrl}/inboxes/${platform.inboxId}/threads/search?${query}`, {
      headers: { authorization: `Bearer ${platform.apiKey}`, 'user-agent': 'linnet-measure' },
    })
    if (!answer.ok) throw new Error(`A search returned ${answer.status}.`)
    await answer.arrayBuffer()
  }

  const [alone, beside]: [Taken[], Taken[]] = [[], []]
  let searches = 0
  await sendUntil(() => true)
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await sendUntil(() => true))
    const answered = new Set<number>()
    const end = new AbortController()
    const searching = Array.from({ length: searchers }, async (_, searcher) => {
      while (!end.signal.aborted) {
        await search(SEARCHES[searcher % SEARCHES.length] ?? '')
        answered.add(searcher)
        searches += 1
      }
    })
    beside.push(await sendUntil(() => answered.size === searchers))
    end.abort()
    // The last searches are answered with no mail arriving, so they don't count.
    await Promise.all(searching)
    searches -= searchers
  }
  smtp.close()
  return { alone: perSecond(alone), beside: perSecond(beside), searches: searches / secondsOf(beside) }
}

const secondsOf = (turns: readonly Taken[]): number => turns.reduce((sum, { seconds }) => sum + seconds, 0)

const perSecond = (turns: readonly Taken[]): number =>
  turns.reduce((sum, { messages }) => sum + messages, 0) / secondsOf(turns)
