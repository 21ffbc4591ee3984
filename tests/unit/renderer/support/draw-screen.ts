import { flushSync, mount, tick, unmount, type Component } from 'svelte'
import type { OpenWindow } from './open-window.ts'
import TestScreen from './TestScreen.svelte'
import { until } from './until.ts'

// jsdom has no layout, so these observers never fire.
class NothingObserved {
  observe(): void {
    // Never called back: jsdom has no layout.
  }
  unobserve(): void {
    // Never called back: jsdom has no layout.
  }
  disconnect(): void {
    // Never called back: jsdom has no layout.
  }
  takeRecords(): readonly never[] {
    return []
  }
}
Element.prototype.scrollTo = () => undefined
Object.assign(globalThis, { ResizeObserver: NothingObserved, IntersectionObserver: NothingObserved })

export interface RenderedScreen {
  readonly target: HTMLElement
  readonly settle: () => Promise<void>
}

/** Mounts a component in the document until the signal aborts. */
export const renderScreen = async (
  opened: OpenWindow,
  // Svelte's type of a component's properties is invariant.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- any component
  View: Component<any>,
  ending: AbortSignal,
  props: Readonly<Record<string, unknown>> = {},
): Promise<RenderedScreen> => {
  const target = document.createElement('div')
  document.body.append(target)
  const drawn = mount(TestScreen, { target, props: { opened, View, props } })
  ending.addEventListener('abort', () => {
    void unmount(drawn)
    target.remove()
  })
  const settle = async (): Promise<void> => {
    flushSync()
    await tick()
  }
  await settle()
  return { target, settle }
}

export const pointAt = (element: Element): void => {
  for (const type of ['pointerover', 'pointerenter']) {
    element.dispatchEvent(new PointerEvent(type, { bubbles: type === 'pointerover', pointerType: 'mouse' }))
  }
  flushSync()
}

/** Waits for the items of the opening menu, top to bottom. */
export const menuItems = async (): Promise<readonly HTMLElement[]> => {
  const items = (): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[role="menu"] [role="menuitem"]'),
  ]
  await until(() => items().length > 0)
  return items()
}
