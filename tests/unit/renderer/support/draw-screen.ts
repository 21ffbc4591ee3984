import { flushSync, mount, tick, unmount, type Component } from 'svelte'
import type { OpenWindow } from './open-window.ts'
import ShownScreen from './ShownScreen.svelte'
import { until } from './until.ts'

// jsdom lays nothing out: nothing is ever resized or comes into sight.
class NothingObserved {
  observe(): void {
    // Nothing happens.
  }
  unobserve(): void {
    // Nothing happens.
  }
  disconnect(): void {
    // Nothing happens.
  }
  takeRecords(): readonly never[] {
    return []
  }
}
Element.prototype.scrollTo = () => undefined
Object.assign(globalThis, { ResizeObserver: NothingObserved, IntersectionObserver: NothingObserved })

/** A list on the screen, of which the row under the cursor is drawn. */
export interface DrawnScreen {
  readonly target: HTMLElement
  /** Draws what has changed. */
  readonly settle: () => Promise<void>
}

/** Draws a screen, or a part of one, into the document, until the signal. */
export const drawScreen = async (opened: OpenWindow, View: Component, ending: AbortSignal): Promise<DrawnScreen> => {
  const target = document.createElement('div')
  document.body.append(target)
  const drawn = mount(ShownScreen, { target, props: { opened, View } })
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

/** Brings the pointer over an element, as a mouse does. */
export const pointAt = (element: Element): void => {
  for (const type of ['pointerover', 'pointerenter']) {
    element.dispatchEvent(new PointerEvent(type, { bubbles: type === 'pointerover', pointerType: 'mouse' }))
  }
  flushSync()
}

/** What is in the menu that is opening, from the top. */
export const menuItems = async (): Promise<readonly HTMLElement[]> => {
  const items = (): readonly HTMLElement[] => [
    ...document.querySelectorAll<HTMLElement>('[role="menu"] [role="menuitem"]'),
  ]
  await until(() => items().length > 0)
  return items()
}
