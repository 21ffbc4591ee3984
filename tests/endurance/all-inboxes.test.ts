import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ALL_INBOXES, toUnifiedLabelId } from '../../src/shared/unified-ids.ts'
import type { CommandInput, CommandName, CommandOutput } from '../../src/shared/contract.ts'
import { createFolderQuery, createLabelQuery } from '../../src/shared/thread-query.ts'
import { eventually } from '../integration/engine/support/eventually.ts'
import { startTestPlatform, type TestPlatform } from '../integration/engine/support/test-platform.ts'
import { openTestMachine } from '../integration/host/support/test-host.ts'
import { counts, SEED } from './support/endurance.ts'

const EACH = 5
const NAMES = ['Fog', 'Tide', 'Quay'] as const
const FOLDERS = ['inbox', 'archive'] as const

interface State {
  readonly folder: string
  readonly read: boolean
  readonly labels: readonly string[]
}

type Change =
  | { readonly folder: (typeof FOLDERS)[number] }
  | { readonly read: boolean }
  | { readonly add: (typeof NAMES)[number] }
  | { readonly remove: (typeof NAMES)[number] }

type Step =
  | { readonly kind: 'change'; readonly of: readonly number[]; readonly change: Change }
  /** The entire inbox except these. */
  | { readonly kind: 'all'; readonly except: readonly number[]; readonly change: { readonly read: boolean } }
  | { readonly kind: 'undo' }

const changed = (state: State, change: Change): State => {
  if ('folder' in change) return { ...state, folder: change.folder }
  if ('read' in change) return { ...state, read: change.read }
  const others = state.labels.filter((name) => name !== ('add' in change ? change.add : change.remove))
  return { ...state, labels: 'add' in change ? [...others, change.add].sort() : others }
}

const asked = (change: Change): CommandInput<'thread.change'>['change'] => {
  if ('add' in change) return { addLabels: [toUnifiedLabelId(change.add)] }
  return 'remove' in change ? { removeLabels: [toUnifiedLabelId(change.remove)] } : change
}

const places = fc.uniqueArray(fc.nat({ max: 3 * EACH - 1 }), { minLength: 1, maxLength: 6 })
const name = fc.constantFrom(...NAMES)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      of: places,
      change: fc.oneof(
        fc.record({ folder: fc.constantFrom(...FOLDERS) }),
        fc.record({ read: fc.boolean() }),
        fc.record({ add: name }),
        fc.record({ remove: name }),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('all' as const),
      except: places,
      change: fc.record({ read: fc.boolean() }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const) }) },
)

interface There {
  readonly subject: string
  readonly folder: string
  readonly read: boolean
  readonly labels: readonly { readonly name: string }[]
}

/**
 * Two platforms with three inboxes. One inbox has a label that the others lack; a third label exists nowhere. Changes
 * and undos over all of them must match a plain model, in every list at once and finally on the platforms.
 */
it('applies changes and undos over all inboxes in every list and on each platform', async () => {
  const [one, other] = [await startTestPlatform(), await startTestPlatform()]
  const address = `desk@${one.inboxAddress.split('@')[1] ?? ''}`
  const desk = await one.ask<{ id: string }>('POST', '/inboxes', { email_address: address })
  const label = (platform: TestPlatform, inboxId: string, labelName: string): Promise<unknown> =>
    platform.ask('POST', `/inboxes/${inboxId}/labels`, { name: labelName, color: '#AB4ABA' })
  await label(one, one.inboxId, 'Fog')
  await label(other, other.inboxId, 'Fog')
  await label(one, desk.id, 'Tide')
  const inboxes = [
    { platform: one, inboxId: one.inboxId, to: one.inboxAddress },
    { platform: other, inboxId: other.inboxId, to: other.inboxAddress },
    { platform: one, inboxId: desk.id, to: address },
  ]
  const subjects = Array.from({ length: EACH }, (_none, at) =>
    inboxes.map((_inbox, inbox) => `Letter ${inbox} ${at}`),
  ).flat()
  for (const [at, subject] of subjects.entries()) {
    const inbox = inboxes[at % inboxes.length]
    await inbox?.platform.deliver({ to: inbox.to, subject })
  }

  const host = openTestMachine().start()
  for (const { baseUrl, apiKey } of [one, other]) {
    await host.ask('account.connect', { baseUrl, apiKey })
    await host.ask('keeping.set', { bytes: 0 })
  }
  const ask = async <Name extends CommandName>(
    command: Name,
    input: CommandInput<Name>,
  ): Promise<CommandOutput<Name>> => {
    const result = await host.host.call(command, input, { accountId: ALL_INBOXES, caller: 'window' })
    if (!result.ok) throw new Error(`${command}: ${result.error.code}: ${result.error.message}`)
    return result.data as CommandOutput<Name>
  }
  const settled = (): Promise<unknown> =>
    eventually(
      () => ask('sync.status', {}),
      ({ progress, lastSyncAt, pendingChanges }) => progress === null && lastSyncAt !== null && pendingChanges === 0,
    )
  const list = async (query: CommandInput<'thread.list'>['query']) =>
    (await ask('thread.list', { query, offset: 0, limit: 200 })).items
  await settled()
  const inbox = await eventually(
    () => list(createFolderQuery(ALL_INBOXES, 'inbox')),
    ({ length }) => length === subjects.length,
  )
  const ids = new Map(inbox.map(({ id, subject }) => [subject ?? '', id]))
  const idsAt = (at: readonly number[]): string[] => at.map((index) => ids.get(subjects[index] ?? '') ?? '')

  let model = new Map<string, State>(subjects.map((subject) => [subject, { folder: 'inbox', read: false, labels: [] }]))
  const done: { readonly changeId: string; readonly before: Map<string, State> }[] = []
  const take = async (each: Step): Promise<void> => {
    if (each.kind === 'undo') {
      const last = done.pop()
      if (last === undefined) return
      expect((await ask('change.undo', { changeId: last.changeId })).undone).toBe(true)
      model = last.before
      return
    }
    const isMeant = (subject: string): boolean => {
      const at = subjects.indexOf(subject)
      if (each.kind === 'change') return each.of.includes(at)
      return model.get(subject)?.folder === 'inbox' && !each.except.includes(at)
    }
    const before = model
    model = new Map(
      [...model].map(([subject, state]) => [subject, isMeant(subject) ? changed(state, each.change) : state]),
    )
    const how =
      each.kind === 'change'
        ? { threadIds: idsAt(each.of) }
        : {
            matching: {
              query: createFolderQuery(ALL_INBOXES, 'inbox'),
              upTo: Number.MAX_SAFE_INTEGER,
              except: idsAt(each.except),
            },
          }
    const { changeId, threads } = await ask('thread.change', {
      inboxId: ALL_INBOXES,
      ...how,
      change: asked(each.change),
    })
    const differing = [...model].filter(
      ([subject, state]) => JSON.stringify(state) !== JSON.stringify(before.get(subject)),
    )
    expect(threads).toBe(differing.length)
    if (threads > 0) done.push({ changeId, before })
  }
  const isAsModelled = async (): Promise<void> => {
    const shown = (await Promise.all(FOLDERS.map((folder) => list(createFolderQuery(ALL_INBOXES, folder))))).flat()
    const seen = shown.map(({ subject, folder, read, labels }): [string, State] => [
      subject ?? '',
      { folder, read, labels: labels.map((each) => each.name).sort() },
    ])
    expect(new Map(seen.toSorted())).toEqual(new Map([...model].toSorted()))
    for (const each of NAMES) {
      const carried = (await list(createLabelQuery(ALL_INBOXES, toUnifiedLabelId(each)))).map(({ subject }) => subject)
      const wanted = [...model].flatMap(([subject, { labels }]) => (labels.includes(each) ? [subject] : []))
      expect(carried.toSorted(), each).toEqual(wanted.toSorted())
    }
  }

  await ask('label.create', { inboxId: ALL_INBOXES, name: 'Quay', color: '#30A46C' })
  const steps = fc.sample(step, { seed: SEED, numRuns: counts(60) })
  for (const [at, each] of steps.entries()) {
    await take(each)
    await isAsModelled().catch((thrown: unknown) => {
      throw new Error(`after step ${at}, ${JSON.stringify(each)}: ${String(thrown)}`, { cause: thrown })
    })
  }

  await settled()
  const there = await Promise.all(
    inboxes.map(async ({ platform, inboxId }) => {
      const { data } = await platform.ask<{ data: readonly There[] }>(
        'GET',
        `/inboxes/${inboxId}/threads?folders=inbox,archive&limit=100`,
      )
      return data
    }),
  )
  const states = there
    .flat()
    .map(({ subject, folder, read, labels }): [string, State] => [
      subject,
      { folder, read, labels: labels.map((each) => each.name).sort() },
    ])
  expect(new Map(states.toSorted())).toEqual(new Map([...model].toSorted()))
})
