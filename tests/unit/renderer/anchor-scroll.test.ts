// @vitest-environment jsdom
import { expect, it, vi } from 'vitest'
import { keepScrollAnchor } from '../../../src/renderer/features/bodies/anchor-scroll.ts'

const box = (top: number, height: number): DOMRect => ({ top, height, bottom: top + height }) as DOMRect

it('keeps the read line in place when a picture loads above it, and only then', async () => {
  vi.stubGlobal('requestAnimationFrame', (run: () => void) => {
    run()
    return 0
  })
  document.body.innerHTML = '<main><iframe></iframe></main>'
  const [area, frame] = [document.querySelector('main'), document.querySelector('iframe')]
  const content = frame?.contentDocument
  if (!area || !frame || !content) throw new Error('no frame')
  content.body.innerHTML = '<div id="linnet-mail"><p>Before</p><p>Read</p></div>'
  const [, read] = content.querySelectorAll('p')
  if (read === undefined) throw new Error('no line')
  let [frameTop, readTop] = [-500, 600]
  const scrolled: number[] = []
  area.scrollBy = ((to: { readonly top: number }) => scrolled.push(to.top)) as unknown as typeof area.scrollBy
  Object.defineProperty(area, 'clientHeight', { value: 800 })
  area.getBoundingClientRect = () => box(100, 800)
  frame.getBoundingClientRect = () => box(frameTop, 3000)
  read.getBoundingClientRect = () => box(readTop, 20)
  content.elementFromPoint = () => read
  const place = keepScrollAnchor(
    frame,
    () => area,
    () => Promise.resolve(),
  )
  const scroll = (): boolean => area.dispatchEvent(new Event('scroll'))
  scroll()
  await place.restore()
  expect(scrolled).toEqual([])
  readTop += 300
  await place.restore()
  expect(scrolled).toEqual([300])
  // A scroll event can come before the shift is corrected.
  readTop += 200
  scroll()
  await place.restore()
  expect(scrolled).toEqual([300, 200])
  // The top of the picture is visible, so the user is waiting for it.
  frameTop = 150
  scroll()
  readTop += 300
  await place.restore()
  expect(scrolled).toEqual([300, 200])
  place.end()
  vi.unstubAllGlobals()
})
