/**
 * Clears an inbox of 200 threads by keyboard alone, offline from half-way on. A plain model follows the keys as the
 * keyboard sheet describes them. The window must match it after every step, and the platform at the end.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import type { Platform } from '../support/platform.ts'
import { expect, focused, makeLabels, test } from './linnet.ts'

const NOTICES = 200
const HOUR = 60 * 60 * 1000

/** Subject of a notice; number 1 is the newest. */
const subjectOf = (no: number): string => `Notice ${String(no).padStart(3, '0')}`

/** A mailbox as exported by another mail program: one thread per hour, all unread. */
const mailbox = (newest: Date): string =>
  Array.from({ length: NOTICES }, (_, index) => {
    const date = new Date(newest.getTime() - index * HOUR).toUTCString()
    return [
      'From pier@harbour.example Thu Jan  1 00:00:00 1970',
      'From: Pier <pier@harbour.example>',
      'To: inbox@linnet.example',
      `Subject: ${subjectOf(index + 1)}`,
      `Date: ${date}`,
      `Message-ID: <notice-${index}@harbour.example>`,
      '',
      `What there is to say of hour ${index}.`,
      '',
    ].join('\n')
  }).join('\n')

test.use({
  // eslint-disable-next-line no-empty-pattern -- Playwright reads the requested fixtures from this pattern
  platformSwitches: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'linnet-mailbox-'))
    const file = join(directory, 'notices.mbox')
    await writeFile(file, mailbox(new Date(Date.now() - HOUR)))
    await use(['--import', file])
    await rm(directory, { recursive: true, force: true })
  },
})

type Folder = 'inbox' | 'archive' | 'spam' | 'trash'
interface State {
  readonly folder: Folder
  readonly labels: readonly string[]
  readonly read: boolean
}
type Mailbox = Readonly<Record<string, State>>

/** Cursor and selection in the list. */
interface Place {
  readonly at: string
  readonly selected: readonly string[]
}

/** A step's changes, the state before them, and the place that an undo returns to. */
interface Step {
  readonly before: Mailbox
  readonly after: Mailbox
  readonly place: Place
}

/** Reference model of the shortcuts' effects: the state of each thread, and the cursor in the displayed list. */
class Hands {
  mailbox: Mailbox = Object.fromEntries(
    Array.from({ length: NOTICES }, (_, index) => [subjectOf(index + 1), { folder: 'inbox', labels: [], read: false }]),
  )
  /** Thread under the cursor; empty in an empty list. */
  at = subjectOf(1)
  selected: readonly string[] = []
  #shown: Folder = 'inbox'
  #done: readonly Step[] = []
  #undone: readonly Step[] = []

  get list(): readonly string[] {
    return Object.keys(this.mailbox).filter((subject) => this.mailbox[subject]?.folder === this.#shown)
  }

  get chosen(): readonly string[] {
    return this.selected.length > 0 ? this.selected : [this.at]
  }

  go(folder: Folder): void {
    this.#shown = folder
    this.at = this.list[0] ?? ''
  }

  move(folder: Folder): void {
    this.#change((state) => ({ ...state, folder }))
    this.selected = []
  }

  label(name: string): void {
    this.#change((state) => ({ ...state, labels: [...state.labels, name].toSorted() }))
  }

  mark(read: boolean): void {
    this.#change((state) => ({ ...state, read }))
  }

  /** Opening a thread marks it as read, which isn't a separate undo step. */
  look(): void {
    this.#put({ [this.at]: { ...this.#stateOf(this.at), read: true } })
  }

  step(delta: number): void {
    const { list } = this
    const to = Math.max(0, Math.min(list.indexOf(this.at) + delta, list.length - 1))
    this.at = list[to] ?? ''
  }

  select(count: number): void {
    const from = this.list.indexOf(this.at)
    this.selected = this.list.slice(from, from + count)
    this.step(count - 1)
  }

  undo(): void {
    const step = this.#done.at(-1)
    if (step === undefined) throw new Error('There is nothing to undo.')
    ;[this.#done, this.#undone] = [this.#done.slice(0, -1), [...this.#undone, this.#turned(step)]]
    this.#put(step.before)
    this.#return(step)
  }

  redo(): void {
    const step = this.#undone.at(-1)
    if (step === undefined) throw new Error('There is nothing to redo.')
    ;[this.#done, this.#undone] = [[...this.#done, this.#turned(step)], this.#undone.slice(0, -1)]
    this.#put(step.after)
    this.#return(step)
  }

  #turned(step: Step): Step {
    return { ...step, place: this.#place() }
  }

  #place(): Place {
    return { at: this.at, selected: this.selected }
  }

  #return({ place: { at, selected } }: Step): void {
    ;[this.at, this.selected] = [at, selected]
  }

  #stateOf(subject: string): State {
    const state = this.mailbox[subject]
    if (state === undefined) throw new Error(`There is no thread "${subject}".`)
    return state
  }

  #change(change: (state: State) => State): void {
    const before = Object.fromEntries(this.chosen.map((subject) => [subject, this.#stateOf(subject)]))
    const after = Object.fromEntries(Object.entries(before).map(([subject, state]) => [subject, change(state)]))
    this.#done = [...this.#done, { before, after, place: this.#place() }]
    this.#undone = []
    this.#put(after)
  }

  /** If the thread under the cursor leaves the list, the cursor moves to the next older one, or to the last. */
  #put(states: Mailbox): void {
    const { list: before } = this
    this.mailbox = { ...this.mailbox, ...states }
    const { list } = this
    if (list.includes(this.at)) return
    const older = before.slice(before.indexOf(this.at)).find((subject) => list.includes(subject))
    this.at = older ?? list.at(before.length === 0 ? 0 : -1) ?? ''
  }
}

/** All threads on the platform, in the model's terms. */
const mailboxOn = async (platform: Platform): Promise<Mailbox> => {
  interface Listed {
    readonly id: string
    readonly subject: string
    readonly folder: Folder
    readonly read: boolean
    readonly labels: readonly { readonly name: string }[]
  }
  const all: Listed[] = []
  for (let hasMore = true; hasMore;) {
    const after = all.length === 0 ? '' : `&after=${all.at(-1)?.id ?? ''}`
    const path = `/inboxes/${platform.inboxId}/threads?folders=inbox,archive,spam,trash&limit=100${after}`
    const page = (await platform.ask(path)) as { readonly data: readonly Listed[]; readonly has_more: boolean }
    all.push(...page.data)
    hasMore = page.has_more
  }
  return Object.fromEntries(
    all
      .toSorted((a, b) => a.subject.localeCompare(b.subject))
      .map(({ subject, folder, read, labels }) => [
        subject,
        { folder, labels: labels.map(({ name }) => name).toSorted(), read },
      ]),
  )
}

const list = (page: Page): Locator => page.getByRole('listbox', { name: 'Threads' })
const notices = (page: Page): Locator => page.locator('.toasts')

test('clears 200 threads by keyboard, half of them offline, as a model predicts', async ({ linnet, platform }) => {
  const { page } = linnet
  const { keyboard } = page
  const hands = new Hands()

  /** Checks that the window matches the model: number of rows, cursor, and a focused element. */
  const agree = async (): Promise<void> => {
    if (hands.list.length === 0) {
      await expect(page.getByText('All done')).toBeVisible()
      return
    }
    await expect
      .poll(() =>
        list(page).evaluate((listbox) => {
          const active = document.getElementById(listbox.getAttribute('aria-activedescendant') ?? '')
          return {
            total: Number(active?.getAttribute('aria-setsize')),
            at: /Notice \d+/.exec(active?.textContent ?? '')?.[0],
          }
        }),
      )
      .toEqual({ total: hands.list.length, at: hands.at })
  }
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) {
      await keyboard.press(key)
    }
  }
  const MOVES = { e: 'archive', '#': 'trash', '!': 'spam' } as const
  const move = async (key: keyof typeof MOVES, times = 1): Promise<void> => {
    for (let time = 0; time < times; time += 1) {
      await press(key)
      hands.move(MOVES[key])
      await agree()
    }
  }
  const moveTo = async (typed: string, folder: Folder): Promise<void> => {
    await press('v')
    await expect(page.getByRole('combobox', { name: 'Find a folder' })).toBeFocused()
    await keyboard.type(typed)
    await press('Enter')
    hands.move(folder)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  const label = async (typed: string, name: string): Promise<void> => {
    await press('l')
    await expect(page.getByRole('combobox', { name: 'Find or create a label' })).toBeFocused()
    await keyboard.type(typed)
    await press('Enter')
    hands.label(name)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await agree()
  }
  const select = async (count: number): Promise<void> => {
    await press('x')
    for (let more = 1; more < count; more += 1) await keyboard.press('Shift+j')
    hands.select(count)
    await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText(`${count} selected`)
    await agree()
  }
  const undo = async (key: 'z' | 'ControlOrMeta+z' = 'z'): Promise<void> => {
    await press(key)
    hands.undo()
    await agree()
  }
  const redo = async (): Promise<void> => {
    await press('ControlOrMeta+Shift+z')
    hands.redo()
    await agree()
  }
  /** Waits until the thread under the cursor is open and read. */
  const look = async (): Promise<void> => {
    hands.look()
    await expect(
      page.getByRole('region', { name: 'Thread', exact: true }).getByRole('heading', { level: 1 }),
    ).toHaveText(hands.at)
    await expect(list(page).getByRole('option', { name: new RegExp(hands.at) })).not.toContainText('Unread')
  }

  await makeLabels(platform, 'Harbour')
  await press('F5')
  await expect(page.getByRole('link', { name: 'Harbour' })).toBeVisible()
  await expect.poll(() => focused(page)).toBe('Threads')
  await press('.')
  await agree()

  // Online.
  await move('e', 12)
  await move('#', 4)
  await move('!', 4)
  await moveTo('spa', 'spam')
  await moveTo('bin', 'trash')
  await agree()
  await label('har', 'Harbour')
  await undo()
  await redo()
  await move('e')
  await press('j', 'j', 'k')
  hands.step(1)
  await press('Shift+i')
  hands.mark(true)
  await agree()
  await move('e')

  await select(50)
  await move('e')
  await expect(notices(page)).toContainText('Archived 50 threads')
  await undo()
  await redo()
  await undo('ControlOrMeta+z')
  await undo()
  await redo()
  await redo()

  await press('Enter')
  await look()
  await move('e')
  await look()
  await press('Shift+u')
  hands.mark(false)
  await move('#')
  await look()
  await press('Escape')
  await expect.poll(() => focused(page)).toBe('Threads')
  await move('e', 10)

  // Offline, for about as many changes again.
  const online = NOTICES - hands.list.length
  expect(online).toBeGreaterThan(NOTICES / 3)
  // All mail is stored locally, so it can be read offline.
  await expect(page.getByRole('status').first()).toHaveText(/^Online\.\s+Synced [^.]+\.\s*$/, { timeout: 60_000 })
  await platform.pause()
  await move('e', 5)
  await undo()
  await undo()
  await redo()
  await move('!', 5)
  await press('ControlOrMeta+Shift+z')
  await expect(notices(page)).toContainText('There is nothing to redo.')
  await select(10)
  await label('Quay 7', 'Quay 7')
  await label('har', 'Harbour')
  await move('#')
  await undo()
  await undo()
  await redo()
  await redo()
  await press('Enter')
  await look()
  await moveTo('arch', 'archive')
  await look()
  await press('Escape')
  await expect.poll(() => focused(page)).toBe('Threads')

  // All remaining threads, including those never read.
  await press('*', '*')
  hands.selected = hands.list
  await expect(page.getByRole('toolbar', { name: 'Selection' })).toContainText(
    `All ${hands.list.length} threads in Inbox are selected`,
  )
  await moveTo('tra', 'trash')
  await agree()
  await undo()
  await redo()
  await press('g', 'a')
  hands.go('archive')
  await agree()
  await move('#', 2)
  await undo()
  await press('g', 'i')
  hands.go('inbox')
  await agree()

  await platform.resume()
  await expect.poll(() => mailboxOn(platform), { timeout: 120_000 }).toEqual(hands.mailbox)
  await expect(page.getByRole('status').first()).not.toContainText(/\bchanges?\b/, { timeout: 60_000 })
  await press('F5')
  await expect(page.getByRole('status').first()).toContainText('Online')
  await agree()
  expect(await mailboxOn(platform)).toEqual(hands.mailbox)
})
