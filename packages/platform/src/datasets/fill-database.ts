import type { Platform } from '../platform.ts'
import type { Database } from '../storage/database.ts'
import { type InboxRow, addInbox } from '../storage/inboxes.ts'
import { readSetting, writeSetting } from '../storage/settings-table.ts'
import { generateThreads } from './generate-threads.ts'
import { importMail } from './import-mail.ts'
import { loadMailbox } from './load-mailbox.ts'

export interface DatasetOptions {
  readonly dataset: 'demo' | 'empty'
  readonly generate?: { readonly threads: number; readonly seed: number } | null
  /** Mail to load into the first inbox: mbox files, single messages, or folders of them. */
  readonly imports?: readonly string[]
  readonly log: (line: string) => void
}

/** @throws Error with a message for the user if a file is unreadable or the database is only half filled */
export async function fillDatabase(platform: Platform, filling: DatasetOptions): Promise<void> {
  await loadDataset(platform, filling)
  await loadImports(platform, filling)
}

/** Stored instead of the dataset's name until loading is complete, to detect a half-filled database. */
const unfinished = 'unfinished'

const emptyInbox = { emailAddress: 'inbox@linnet.example', name: null, fromName: null, forwarding: false }

/** Loads the dataset into a new file. A file that has been served before keeps its content. */
async function loadDataset(platform: Platform, { dataset, generate, log }: DatasetOptions): Promise<void> {
  const { db } = platform
  const known = readSetting(db, 'dataset')
  if (known === unfinished) {
    throw new Error('The service ended while this database was being filled. Delete the file and start again.')
  }
  if (known !== null) {
    if (known === 'demo') checkIntegrity(db)
    return
  }
  writeSetting(db, 'dataset', unfinished)
  if (dataset === 'demo') {
    // Imported on demand, because the data is large and needed only for this dataset.
    const { buildDemoMailbox: demoMailbox, demoMessageCount: demoMessages } = await import('../demo/demo-mailbox.ts')
    const count = createProgressLog(demoMessages, log)
    await loadMailbox(platform, await demoMailbox(new Date(platform.now()), count), count)
  } else addInbox(db, emptyInbox, platform.now())
  if (generate) generateThreads(platform, requireInbox(db), generate.threads, generate.seed)
  writeSetting(db, 'dataset', dataset)
}

/** Steps per message: write, parse, store. */
const stepsPerMessage = 3
const messagesPerLog = 10

/** @returns a function to call at each step of a message; logs the number done */
function createProgressLog(total: number, log: DatasetOptions['log']): () => void {
  let steps = 0
  return () => {
    steps += 1
    if (steps % (stepsPerMessage * messagesPerLog) === 0 || steps === stepsPerMessage * total) {
      log(`Made ${steps / stepsPerMessage} of ${total} messages`)
    }
  }
}

/**
 * A damaged page would only show up when a query reads it. The demo file is small enough to check in full at each
 * start, and it can be recreated.
 */
function checkIntegrity(db: Database): void {
  const found = db.get<{ quick_check: string }>('PRAGMA quick_check(1)')?.quick_check
  if (found !== 'ok') throw new Error('The file of the demo is damaged. Delete it and start again.')
}

async function loadImports(platform: Platform, { imports = [], log }: DatasetOptions): Promise<void> {
  for (const path of imports) {
    const { stored, known } = await importMail(platform, requireInbox(platform.db), path)
    log(`Imported ${path}: ${stored} messages, ${known} were here already`)
  }
}

/** The oldest inbox: the one announced at start, and the target of imports. */
export function findFirstInbox(db: Database): InboxRow | undefined {
  return db.get<InboxRow>('SELECT * FROM inboxes ORDER BY seq LIMIT 1')
}

function requireInbox(db: Database): InboxRow {
  const inbox = findFirstInbox(db)
  if (!inbox) throw new Error('There is no inbox to load mail into.')
  return inbox
}
