import type { DemoFolder, DemoLabel, DemoMailbox, DemoTemplate, DemoTopic } from './demo-mailbox-types.ts'
import { readText } from './resources.ts'

/** The index of the demo: what is in the mailbox beside letters, and where its letters are. */
interface MailboxIndex {
  readonly inbox: DemoMailbox['inbox']
  readonly labels: readonly DemoLabel[]
  readonly topics: readonly DemoTopic[]
  readonly contactProperties: DemoMailbox['contactProperties']
  /** Their HTML is in a file of `html/`. */
  readonly templates: readonly DemoTemplate[]
  readonly folders: readonly {
    readonly folder: DemoFolder
    /** Files of letters, without `.txt`. Those of one group are spread evenly over one another; groups follow each other, the newest first. */
    readonly groups: readonly (readonly string[])[]
    /** Ages in minutes of the newest threads. */
    readonly recentMinutes: readonly number[]
  }[]
}

export const mailboxIndex = JSON.parse(readText('mailbox.json')) as MailboxIndex

/** Mail from this address is outbound. */
export const inboxAddress = mailboxIndex.inbox.emailAddress
