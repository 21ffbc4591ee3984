// @vitest-environment jsdom
import { afterEach, describe, expect, it } from 'vitest'
import AssistantSettings from '../../../src/renderer/features/assistants/AssistantSettings.svelte'
import { describeArguments, formatClientName } from '../../../src/renderer/features/assistants/describe-proposal.ts'
import { NO_ASSISTANT_ACCESS, type AssistantAccess, type AssistantCall } from '../../../src/shared/assistants.ts'
import { ProblemError } from '../../../src/shared/result.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { INBOX } from './support/fixture-mail.ts'
import { failing, type FixtureHandlers } from './support/fixture-transport.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

afterEach(() => document.body.replaceChildren())
const ending = endAfterEach()

const draw = async (handlers: FixtureHandlers) => {
  const opened = await openWindow(inbox(null), ending.signal, handlers)
  const { target, settle } = await renderScreen(opened, AssistantSettings, ending.signal)
  const named = (role: string, name: string): HTMLElement => {
    const found = [...target.querySelectorAll<HTMLElement>(role)].find(({ textContent }) =>
      textContent.trim().replaceAll(/\s+/g, ' ').startsWith(name),
    )
    if (found === undefined) throw new Error(`There is no ${role} ${name}.`)
    return found
  }
  const isOn = (name: string): boolean => named('[role="switch"]', name).ariaChecked === 'true'
  const press = (name: string): void => named('[role="switch"]', name).click()
  return { ...opened, target, settle, named, isOn, press }
}

/** An account's access file whose saves can be delayed or rejected. */
const accessFile = () => {
  let access: AssistantAccess = NO_ASSISTANT_ACCESS
  let held: Promise<unknown> | null = null
  let refusals = 0
  const handlers: FixtureHandlers = {
    'assistant.access': () => access,
    'assistant.setAccess': async (wanted) => {
      await held
      if (refusals > 0) {
        refusals -= 1
        throw new ProblemError({ code: 'storage_failed', message: 'The disk is full. Nothing was changed.' })
      }
      access = wanted
      return null
    },
  }
  return {
    handlers,
    now: () => access,
    put: (next: AssistantAccess): void => {
      access = next
    },
    /** Delays all later saves. @returns a function that resumes them */
    hold: (): (() => void) => {
      const { promise, resolve } = Promise.withResolvers<null>()
      held = promise
      return () => resolve(null)
    },
    refuseOnce: (): void => {
      refusals = 1
    },
  }
}
const folder = (name: AssistantAccess['folders'][number]['folder']) => ({ inboxId: INBOX.id, folder: name })

it('shows the assistant configuration, or explains why there is none', async () => {
  const server = { command: 'C:\\Linnet "1"', args: ['mcp', '--data', '/a b'] }
  const shown = await draw({ 'app.assistantServer': () => server })
  await until(() => shown.target.querySelector('pre') !== null)
  expect(JSON.parse(shown.target.querySelector('pre')?.textContent ?? '')).toEqual({ mcpServers: { linnet: server } })
  const none = await draw({ 'app.assistantServer': () => null })
  await until(() =>
    none.target.textContent.includes('On Windows, connecting an assistant requires Linnet’s source code'),
  )
  expect(none.target.querySelector('pre')).toBeNull()
})

describe('assistant access', () => {
  it('starts with everything off and saves each switch at once', async () => {
    const file = accessFile()
    const { target, isOn, press } = await draw(file.handlers)
    await until(() => target.querySelector('[role="switch"]') !== null)
    expect([...target.querySelectorAll('[role="switch"]')].map(({ ariaChecked }) => ariaChecked)).toEqual(
      Array.from({ length: 8 }, () => 'false'),
    )
    expect(target.textContent).toContain('What they read may leave this computer.')
    press('Archive')
    await until(() => isOn('Archive'))
    await until(() => file.now().folders.length === 1)
    expect(file.now()).toEqual({ folders: [folder('archive')], lists: [] })
    press('Contacts')
    await until(() => file.now().lists.length === 1)
    press('Archive')
    await until(() => file.now().folders.length === 0)
    expect(file.now()).toEqual({ folders: [], lists: ['contacts'] })
  })

  it('merges quick presses with another window’s changes', async () => {
    const file = accessFile()
    const { target, isOn, press } = await draw(file.handlers)
    await until(() => target.querySelector('[role="switch"]') !== null)
    const goOn = file.hold()
    file.put({ folders: [folder('sent')], lists: [] })
    press('Inbox')
    press('All sent')
    await until(() => isOn('Inbox') && isOn('All sent'))
    goOn()
    await until(() => file.now().lists.length === 1)
    expect(file.now()).toEqual({ folders: [folder('sent'), folder('inbox')], lists: ['sent'] })
    await until(() => isOn('Sent'))
  })

  it('reverts a failed save with a notice and keeps later presses', async () => {
    const file = accessFile()
    const { target, isOn, press, shell } = await draw(file.handlers)
    await until(() => target.querySelector('[role="switch"]') !== null)
    const goOn = file.hold()
    file.refuseOnce()
    press('Inbox')
    await until(() => isOn('Inbox'))
    press('Archive')
    goOn()
    await until(() => file.now().folders.length === 1)
    expect(file.now().folders).toEqual([folder('archive')])
    await until(() => !isOn('Inbox') && isOn('Archive'))
    expect(shell.toasts.shown?.text).toBe('The disk is full. Nothing was changed.')
  })

  it('turns on all but spam and trash in one press, and all off in another', async () => {
    const file = accessFile()
    const { target, named, isOn } = await draw(file.handlers)
    await until(() => target.querySelector('[role="switch"]') !== null)
    named('button', 'Turn on all except Spam and Trash').click()
    await until(() => file.now().folders.length === 3)
    expect(
      file
        .now()
        .folders.map((each) => each.folder)
        .toSorted(),
    ).toEqual(['archive', 'inbox', 'sent'])
    await until(() => isOn('Sent') && !isOn('Spam') && !isOn('Trash'))
    named('button', 'Turn all off').click()
    await until(() => file.now().folders.length === 0)
  })

  it('is set for each inbox separately', async () => {
    const file = accessFile()
    const inboxes = Array.from({ length: 12 }, (_none, at) => ({
      ...INBOX,
      id: `inbox-${at + 1}`,
      name: `Pier ${at + 1}`,
    }))
    const { target } = await draw({
      ...file.handlers,
      'inbox.list': () => ({ inboxes, freshness: { state: 'live', at: 0 } }),
    })
    const groups = (): readonly Element[] => [...target.querySelectorAll('[role="group"]')]
    await until(() => groups().length === 12)
    expect(groups()[11]?.querySelector('h3')?.textContent).toBe('Pier 12')
    groups()[11]?.querySelector<HTMLElement>('[role="switch"]')?.click()
    await until(() => file.now().folders.length === 1)
    expect(file.now().folders).toEqual([{ inboxId: 'inbox-12', folder: 'inbox' }])
  })

  it('shows no switches while the current access is unknown', async () => {
    const { target } = await draw({
      'assistant.access': failing({ code: 'storage_failed', message: 'The file was written by a newer Linnet.' }),
    })
    await until(() => target.querySelector('[role="alert"]') !== null)
    expect(target.textContent).toContain('The file was written by a newer Linnet.')
    expect(target.querySelector('[role="switch"]')).toBeNull()
  })
})

const callOf = (id: number, change: Partial<AssistantCall> = {}): AssistantCall => ({
  ...{ id, at: Date.UTC(2026, 10, 20, 12), client: 'Helper', tool: 'search_mail', asked: `fog ${id}` },
  ...{ answer: '3 threads', isRefused: false, ...change },
})

describe('assistant call log', () => {
  it('lists calls as they arrive and loads older ones on demand', async () => {
    let calls: readonly AssistantCall[] = []
    const { target, named, emit } = await draw({
      'assistant.calls': ({ before, limit }) =>
        calls
          .filter(({ id }) => before === null || id < before)
          .toSorted((one, other) => other.id - one.id)
          .slice(0, limit),
    })
    await until(() => target.textContent.includes('No requests yet.'))
    calls = Array.from({ length: 24 }, (_none, at) => callOf(at + 1))
    emit({ name: 'assistants.changed', payload: null })
    const asked = (): readonly string[] => [...target.querySelectorAll('.asked')].map(({ textContent }) => textContent)
    await until(() => asked().length > 0)
    expect(asked()).toEqual(Array.from({ length: 10 }, (_none, at) => `fog ${24 - at}`))
    named('button', 'Show older').click()
    await until(() => asked().length === 20)
    // A new call moves the others down and drops none.
    calls = [...calls, callOf(25)]
    emit({ name: 'assistants.changed', payload: null })
    await until(() => asked()[0] === 'fog 25')
    named('button', 'Show older').click()
    await until(() => asked().length > 20)
    expect(new Set(asked()).size).toBe(asked().length)
    await until(() => !target.textContent.includes('Show older'))
  })

  it('shortens untrusted text to one line and marks refused calls', async () => {
    const { target } = await draw({
      'assistant.calls': () => [
        callOf(2, { client: `<b>Linnet</b>\n${'x'.repeat(500)}`, isRefused: true, answer: 'Spam is not turned on.' }),
        callOf(1, { tool: `a${String.fromCodePoint(0x202e)}tool`, asked: 'one\ntwo' }),
      ],
    })
    await until(() => target.querySelectorAll('.log li').length === 2)
    const [refused, other] = [...target.querySelectorAll('.log li')]
    expect(refused?.querySelector('b')).toBeNull()
    expect(refused?.querySelector('.client')?.textContent).toMatch(/^An assistant named “<b>Linnet<\/b> x{45}…”$/)
    expect(refused?.textContent).toContain('Refused')
    expect(refused?.querySelector('svg')).not.toBeNull()
    expect(other?.textContent).not.toContain('Refused')
    expect(other?.querySelector('code')?.textContent).toBe('a\ufffdtool')
    expect(other?.querySelector('.asked')?.textContent).toBe('one two')
  })

  it('flags client names that imitate Linnet', () => {
    for (const name of ['Linnet 1.0', 'LINNET', 'Lіnnet', 'L\u200binnet', 'Ｌｉｎｎｅｔ', 'Linnet (verified)'])
      expect(formatClientName(name)).toMatch(/^An assistant named “/)
    for (const name of ['Claude 1.0', 'Planet', 'Cabinet', 'Internet']) expect(formatClientName(name)).toBe(name)
  })

  it('shows the tool’s arguments, even if cut off', () => {
    expect(describeArguments('{"query":"from:ann\\nfog","limit":10,"threads":["a","b"]}')).toBe(
      'query: from:ann fog, limit: 10, threads: ["a","b"]',
    )
    expect(describeArguments('{}')).toBe('')
    expect(describeArguments('{"query":"cut in the mid…')).toBe('{"query":"cut in the mid…')
    expect(describeArguments('fog')).toBe('fog')
    expect(describeArguments('null')).toBe('null')
  })

  it('clears after confirmation and says why clearing failed', async () => {
    let calls: readonly AssistantCall[] = [callOf(1)]
    let isFull = true
    const { target, named, settle } = await draw({
      'assistant.calls': () => calls,
      'assistant.clearCalls': () => {
        if (isFull) throw new ProblemError({ code: 'storage_failed', message: 'The disk is full.' })
        calls = []
        return null
      },
    })
    await until(() => target.querySelectorAll('.log li').length === 1)
    named('button', 'Clear log…').click()
    const submit = (): HTMLButtonElement | null =>
      document.querySelector<HTMLButtonElement>('[role="dialog"] [type="submit"]')
    await until(() => submit() !== null)
    expect(calls).toHaveLength(1)
    submit()?.click()
    await until(() => document.querySelector('[role="dialog"] [role="alert"]') !== null)
    await settle()
    isFull = false
    submit()?.click()
    await until(() => target.textContent.includes('No requests yet.'))
    await until(() => submit() === null)
  })
})
