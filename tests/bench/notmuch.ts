import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What notmuch takes to index messages and to find them. */
export interface NotmuchFigures {
  readonly version: string
  readonly secondsToIndex: number
  /** Of its database; the messages stay where they are. */
  readonly bytes: number
  readonly queries: readonly {
    readonly query: string
    /** Of each round, for the first page of threads with what a list shows of them. */
    readonly milliseconds: readonly number[]
    /** Threads on the page. */
    readonly found: number
  }[]
}

interface Measuring {
  /** Threads of a page. */
  readonly page?: number
  /** How often each query is asked; they take turns. */
  readonly rounds?: number
  /** Is called now and then while notmuch indexes, which stands still meanwhile: what it is compared with takes its turn. */
  readonly turn?: () => void
}

/** Of notmuch's turns. */
const TURN_MS = 4_000

/** Debian's Python first: its binding is not known to another one. */
const PYTHONS = ['/usr/bin/python3', 'python3']

const configOf = (database: string, mail: string): string =>
  ['[database]', `path=${database}`, `mail_root=${mail}`, '[new]', 'tags=', '[search]', 'exclude_tags=', ''].join('\n')

interface Running {
  readonly input?: string
  readonly turn?: () => void
}

/** @returns what stands on the standard output @throws with the error stream where the program fails */
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
            // Where it has ended already nobody stands still.
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
 * Has notmuch index messages, a file each, such as in a Maildir, and asks it for first pages in one process of its own.
 * @param queries in notmuch's language
 * @returns null, with a line to the error stream, where notmuch or its Python binding is missing
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
