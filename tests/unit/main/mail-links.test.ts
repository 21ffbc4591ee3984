import { expect, it, vi } from 'vitest'
import { createMailLinks } from '../../../src/main/desktop.ts'

const open = (isTaken: boolean) => {
  let isOurs = false
  const setAsDefaultProtocolClient = vi.fn(() => {
    isOurs = isTaken
    return true
  })
  const app = { isDefaultProtocolClient: () => isOurs, setAsDefaultProtocolClient }
  return { links: createMailLinks(app, { file: '/opt/linnet', args: ['a'] }), setAsDefaultProtocolClient }
}

it('registers for mail links only on request', () => {
  const { links, setAsDefaultProtocolClient } = open(true)
  expect(links.isOurs()).toBe(false)
  expect(setAsDefaultProtocolClient).not.toHaveBeenCalled()
  links.take()
  expect(setAsDefaultProtocolClient).toHaveBeenCalledWith('mailto', '/opt/linnet', ['a'])
  expect(links.isOurs()).toBe(true)
})

it('detects a system that claims success without registering Linnet', () => {
  expect(open(false).links.take).toThrow('in system settings')
})
