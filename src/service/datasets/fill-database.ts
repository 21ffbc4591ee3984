import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import { type InboxRow, addInbox } from '../storage/inboxes.ts'
import { readSetting, writeSetting } from '../storage/settings-table.ts'
import { generateThreads } from './generate-threads.ts'
import { importMail } from './import-mail.ts'
import { loadMailbox } from './load-mailbox.ts'

export interface Filling {
  readonly dataset: 'demo' | 'empty'
  /** Generated threads for a new database. */
  readonly generate?: { readonly threads: number; readonly seed: number } | null
  /** Mail to load into the first inbox: mbox files, single messages, folders of them. */
  readonly imports?: readonly string[]
  /** Takes one line of log at a time. */
  readonly log: (line: string) => void
}

/** @throws Error with a sentence for a person when a file cannot be read or the database is half filled */
export async function fillDatabase(platform: Platform, filling: Filling): Promise<void> {
  await loadDataset(platform, filling)
  await loadImports(platform, filling)
}

/** Stands in place of the dataset's name until all of it is stored, so that half a mailbox is not taken for one. */
const unfinished = 'unfinished'

const emptyInbox = { emailAddress: 'inbox@linnet.example', name: null, fromName: null, forwarding: false }

/** Loads the dataset into a new file; a file that has been served before keeps what it holds. */
async function loadDataset(platform: Platform, { dataset, generate, log }: Filling): Promise<void> {
  const { db } = platform
  const known = readSetting(db, 'dataset')
  if (known === unfinished) {
    throw new Error('The service ended while this database was being filled. Delete the file and start again.')
  }
  if (known !== null) {
    if (known === 'demo') refuseDamaged(db)
    return
  }
  writeSetting(db, 'dataset', unfinished)
  if (dataset === 'demo') {
    // Its texts are large, and only this dataset needs them.
    const { demoMailbox, demoMessages } = await import('../demo/demo-mailbox.ts')
    const count = countMade(demoMessages, log)
    await loadMailbox(platform, await demoMailbox(new Date(platform.now()), count), count)
  } else addInbox(db, emptyInbox, platform.now())
  if (generate) generateThreads(platform, neededInbox(db), generate.threads, generate.seed)
  writeSetting(db, 'dataset', dataset)
}

/** Steps of one message: it is written, read and stored. */
const stepsEach = 3
/** Messages between two lines of log. */
const between = 10

/** @returns what is called at each step of a message; it logs how many are made */
function countMade(total: number, log: Filling['log']): () => void {
  let steps = 0
  return () => {
    steps += 1
    if (steps % (stepsEach * between) === 0 || steps === stepsEach * total) {
      log(`Made ${steps / stepsEach} of ${total} messages`)
    }
  }
}

/**
 * A damaged page is met only when a rule happens to read it. The demo's file is small enough to be read through at each
 * start, and whoever runs the demo can have it made anew.
 */
function refuseDamaged(db: Database): void {
  const found = db.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check
  if (found !== 'ok') throw new Error('The file of the demo is damaged. Delete it and start again.')
}

async function loadImports(platform: Platform, { imports = [], log }: Filling): Promise<void> {
  for (const path of imports) {
    const { stored, known } = await importMail(platform, neededInbox(platform.db), path)
    log(`Imported ${path}: ${stored} messages, ${known} were here already`)
  }
}

/** The oldest inbox: the one that is announced and that mail is loaded into. */
export function firstInbox(db: Database): InboxRow | undefined {
  return db.get<InboxRow>('SELECT * FROM inboxes ORDER BY seq LIMIT 1')
}

function neededInbox(db: Database): InboxRow {
  const inbox = firstInbox(db)
  if (!inbox) throw new Error('There is no inbox to load mail into.')
  return inbox
}
