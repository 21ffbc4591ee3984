import type { DemoFolder, DemoLabel, DemoMailbox, DemoTemplate, DemoTopic } from './demo-mailbox-types.ts'
import { readText } from './resources.ts'

interface MailboxIndex {
  readonly inbox: DemoMailbox['inbox']
  readonly labels: readonly DemoLabel[]
  readonly topics: readonly DemoTopic[]
  readonly contactProperties: DemoMailbox['contactProperties']
  /** The templates' HTML is in `html/`. */
  readonly templates: readonly DemoTemplate[]
  readonly folders: readonly {
    readonly folder: DemoFolder
    /** Letter files without `.txt`. Files of a group are interleaved; groups follow one another, newest first. */
    readonly groups: readonly (readonly string[])[]
    /** Ages of the newest threads in minutes. */
    readonly recentMinutes: readonly number[]
  }[]
}

export const mailboxIndex = JSON.parse(readText('mailbox.json')) as MailboxIndex

/** Mail from this address is outbound. */
export const inboxAddress = mailboxIndex.inbox.emailAddress
