import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SpellingWorkerClient } from '../../../../src/main/spelling/spelling-worker-client.ts'
import { HunspellChecker } from '../../../../src/main/spelling/desktop-spell-checker.ts'
import { AFF, DIC } from '../../../support/dictionaries.ts'
import { root } from '../../../support/program.ts'
import { temporaryDirectory } from '../../../support/temporary-directory.ts'

const workerFile = join(root, 'src/main/spelling/spelling-worker.ts')
const wasmFile = join(root, 'node_modules/hunspell-wasm/wasm/hunspell.wasm')

const open = async (files: Readonly<Record<string, string | Uint8Array>>, own: readonly string[] = []) => {
  const folder = join(temporaryDirectory(), 'dictionaries')
  await mkdir(folder)
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
  const opened = new HunspellChecker({
    folders: [folder],
    workerFile,
    wasmFile,
    preferred: () => ['en-US'],
    ownWords: () => Promise.resolve(own),
  })
  onTestFinished(() => opened.close())
  return opened
}

const GERMAN = { 'de_DE.aff': 'SET ISO8859-1\n', 'de_DE.dic': Buffer.from('2\nStra\xdfe\nm\xfcssen\n', 'latin1') }
const ENGLISH = { 'en_US.aff': AFF, 'en_US.dic': DIC }

describe('the system’s dictionaries', () => {
  it('find misspelt words and suggestions', async () => {
    const spelling = await open(ENGLISH)
    const words = ['The', 'harbours', 'harbuor', 'ropess', 'free']
    expect(await spelling.findMisspelt(words, ['en-US'])).toEqual(['harbuor', 'ropess'])
    expect((await spelling.suggest('harbuor', ['en-US']))[0]).toBe('harbour')
  })

  it('accept a word that one of several languages knows, in any encoding', async () => {
    const spelling = await open({ ...ENGLISH, ...GERMAN })
    expect(await spelling.languages()).toEqual(['de-DE', 'en-US'])
    const words = ['Straße', 'mu\u0308ssen', 'harbour', 'Strase']
    expect(await spelling.findMisspelt(words, ['de-DE', 'en-US'])).toEqual(['Strase'])
    expect(await spelling.findMisspelt(words, ['de-DE'])).toEqual(['harbour', 'Strase'])
    expect(await spelling.suggest('Strase', ['de-DE'])).toContain('Straße')
  })

  it('accept the user’s own words', async () => {
    const spelling = await open(ENGLISH, ['gantry'])
    expect(await spelling.findMisspelt(['gantry', 'gantri'], ['en-US'])).toEqual(['gantri'])
  })

  it('mark nothing if unreadable', async () => {
    const spelling = await open({ 'en_US.aff': 'SET of-nobody\n', 'en_US.dic': DIC })
    expect(await spelling.findMisspelt(['harbuor'], ['en-US'])).toEqual([])
  })
})

describe('the spelling thread', () => {
  const data = { wasmFile, dictionaries: [] }

  const threadOf = async (source: string, times: { readonly longest: number; readonly idle: number }) => {
    const file = join(temporaryDirectory(), 'worker.mjs')
    await writeFile(file, `import { parentPort } from 'node:worker_threads'\n${source}`)
    const thread = new SpellingWorkerClient(file, data, times)
    onTestFinished(() => thread.close())
    return thread
  }
  const COUNTING = `let asked = 0
    parentPort.on('message', ({ id }) => parentPort.postMessage({ id, words: [String(++asked)] }))`

  it('is abandoned if it hangs, and answers again at the next request', async () => {
    const thread = await threadOf(`parentPort.once('message', () => { for (;;); })`, { longest: 200, idle: 60_000 })
    expect(await thread.ask('check', ['a'])).toBeNull()
    expect(await thread.ask('check', ['a'])).toBeNull()
  })

  it('ends when idle, and is replaced later', async () => {
    const thread = await threadOf(COUNTING, { longest: 60_000, idle: 100 })
    expect(await thread.ask('check', ['a'])).toEqual(['1'])
    await new Promise((resolve) => setTimeout(resolve, 400))
    expect(await thread.ask('check', ['a'])).toEqual(['1'])
  })

  it('stays while it is used, and never ends during a request', async () => {
    const SLOW = `let asked = 0
      parentPort.on('message', ({ id }) => setTimeout(() => parentPort.postMessage({ id, words: [String(++asked)] }), 300))`
    const thread = await threadOf(SLOW, { longest: 60_000, idle: 100 })
    expect(await Promise.all([thread.ask('check', ['a']), thread.ask('check', ['a'])])).toEqual([['1'], ['2']])
  })

  it('is reused for the next request', async () => {
    const thread = await threadOf(COUNTING, { longest: 60_000, idle: 60_000 })
    expect(await thread.ask('check', ['a'])).toEqual(['1'])
    expect(await thread.ask('check', ['a'])).toEqual(['2'])
  })

  it('isn’t restarted after repeated crashes', async () => {
    const thread = await threadOf(`throw new Error('broken')`, { longest: 5_000, idle: 60_000 })
    for (let times = 0; times < 5; times += 1) expect(await thread.ask('check', ['a'])).toBeNull()
  })
})
