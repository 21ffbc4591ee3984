// @vitest-environment jsdom
import { expect, it } from 'vitest'
import Onboarding from '../../../src/renderer/features/onboarding/Onboarding.svelte'
import { ProblemError, type Problem } from '../../../src/shared/result.ts'
import { renderScreen } from './support/draw-screen.ts'
import { endAfterEach } from './support/end-after-each.ts'
import { inbox, openWindow } from './support/open-window.ts'
import { until } from './support/until.ts'

const ending = endAfterEach()

const failing = (code: Problem['code'], message: string) => (): never => {
  throw new ProblemError({ code, message })
}

const WAYS = {
  browser: { button: 'Sign in with your browser', message: 'This platform has no sign-in page.' },
  key: { button: 'Connect', message: 'The platform did not accept this key.' },
  demo: { button: 'Try the demo', message: 'The demo could not be started.' },
  restore: { button: 'Restore backup', message: 'This folder is not a backup.' },
} as const
type Way = keyof typeof WAYS
const NAMES = Object.keys(WAYS) as Way[]

it.each(NAMES.flatMap((one) => NAMES.flatMap((other) => (one === other ? [] : [[one, other] as const]))))(
  'shows only the latest error after %s, then %s failed',
  async (one, other) => {
    const window = await openWindow(inbox(null), ending.signal, {
      'account.beginSignIn': failing('invalid_input', WAYS.browser.message),
      'account.connect': failing('key_rejected', WAYS.key.message),
      'account.startDemo': failing('internal', WAYS.demo.message),
      'backup.restore': failing('invalid_input', WAYS.restore.message),
    })
    const { target, settle } = await renderScreen(window, Onboarding, ending.signal)
    const buttonNamed = (name: string): HTMLButtonElement | undefined =>
      [...target.querySelectorAll('button')].find(({ textContent }) => textContent.trim() === name)
    const fill = (label: string, text: string): void => {
      const named = [...target.querySelectorAll('label')].find(({ textContent }) => textContent.trim() === label)
      const field = target.querySelector<HTMLInputElement>(`#${CSS.escape(named?.htmlFor ?? '')}`)
      if (field === null) throw new Error(`There is no field ${label}.`)
      field.value = text
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    buttonNamed('Restore from a backup…')?.click()
    await settle()
    fill('API key', 're_aaaaaaaa_aaaaaaaaaaaaaaaaaaaaaa')
    fill('Backup folder', '/backups/Linnet 2026-11-01')
    await settle()
    for (const way of [one, other]) {
      const { button, message } = WAYS[way]
      buttonNamed(button)?.click()
      await until(() => target.textContent.includes(message))
      await settle()
    }
    const shown = NAMES.filter((way) => target.textContent.includes(WAYS[way].message))
    expect(shown).toEqual([other])
  },
)
