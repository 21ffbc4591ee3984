/**
 * A platform that replays recorded responses of the local one from memory, to show the engine's own throughput. Run as
 * a separate process with the file of responses; prints its base URL on the first line.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

const answers = new Map(JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as (readonly [string, string])[])
const empty = '{"object":"list","has_more":false,"data":[]}'

const server = createServer((request, response) => {
  response
    .writeHead(200, {
      'content-type': 'application/json',
      'ratelimit-limit': '1000000',
      'ratelimit-policy': '1000000;w=1',
    })
    .end(answers.get(request.url ?? '') ?? empty)
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
process.once('SIGTERM', () => {
  server.closeAllConnections()
  server.close()
})
