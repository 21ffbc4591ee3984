import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface NotmuchFigures {
  readonly version: string
  readonly secondsToIndex: number
  /** Database size, without the messages. */
  readonly bytes: number
  readonly queries: readonly {
    readonly query: string
    /** Each round's time for the first page of threads, with the fields that a list shows. */
    readonly milliseconds: readonly number[]
    readonly found: number
  }[]
}

interface Measuring {
  readonly page?: number
  /** Number of rounds per query; the queries alternate. */
  readonly rounds?: number
  /** Called at intervals during indexing, while notmuch is paused, to give the compared program its turn. */
  readonly turn?: () => void
}

/** Length of notmuch's turns, in milliseconds. */
const TURN_MS = 4_000

/** Debian's Python first: other Pythons don't have the notmuch binding. */
const PYTHONS = ['/usr/bin/python3', 'python3']

const configOf = (database: string, mail: string): string =>
  ['[database]', `path=${database}`, `mail_root=${mail}`, '[new]', 'tags=', '[search]', 'exclude_tags=', ''].join('\n')

interface Running {
  readonly input?: string
  readonly turn?: () => void
}

/** @returns its standard output @throws with its standard error if it fails */
const run = (
  command: string,
  args: readonly string[],
  config: string,
  { input = '', turn }: Running = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, NOTMUCH_CONFIG: config } })
    const turns =
      turn === undefined
        ? undefined
        : setInterval(() => {
            // `kill` returns false if notmuch has already exited; then nothing is paused.
            if (!child.kill('SIGSTOP')) return
            turn()
            child.kill('SIGCONT')
          }, TURN_MS)
    const [output, errors]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    child.once('error', reject)
    child.once('close', (code) => {
      clearInterval(turns)
      if (code === 0) resolve(Buffer.concat(output).toString())
      else reject(new Error(`${command} ended with ${code}: ${Buffer.concat(errors).toString()}`))
    })
    child.stdin.end(input)
  })

const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)

const findPython = (): string | null =>
  PYTHONS.find((python) => spawnSync(python, ['-c', 'import notmuch2']).status === 0) ?? null

/**
 * Indexes messages with notmuch, one file each as in a Maildir, and queries it for first pages in a single process.
 * @param queries in notmuch's language
 * @returns null, with a line on stderr, if notmuch or its Python binding is missing
 */
export const measureNotmuch = async (
  directoryOfMessages: string,
  queries: readonly string[],
  { page = 20, rounds = 40, turn }: Measuring = {},
): Promise<NotmuchFigures | null> => {
  const { status, stdout } = spawnSync('notmuch', ['--version'], { encoding: 'utf8' })
  const python = status === 0 ? findPython() : null
  if (python === null) {
    console.error('Not compared with notmuch, which is not here (Debian: apt-get install notmuch python3-notmuch2).')
    return null
  }
  const work = mkdtempSync(join(tmpdir(), 'linnet-notmuch-'))
  try {
    const [config, database] = [join(work, 'config'), join(work, 'database')]
    mkdirSync(database)
    writeFileSync(config, configOf(database, directoryOfMessages))
    let standing = 0
    const stand = (): void => {
      const start = performance.now()
      turn?.()
      standing += performance.now() - start
    }
    const start = performance.now()
    await run('notmuch', ['new', '--quiet', '--no-hooks'], config, { turn: stand })
    const secondsToIndex = (performance.now() - start - standing) / 1000
    const wanted = JSON.stringify({ config, queries, page, rounds })
    const answers = await run(python, [join(import.meta.dirname, 'notmuch.py')], config, { input: wanted })
    return {
      version: stdout.trim(),
      secondsToIndex,
      bytes: bytesIn(database),
      queries: JSON.parse(answers) as NotmuchFigures['queries'],
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
