import { describe, expect, it } from 'vitest'
import { createPrintHandlers } from '../../../src/host/print-jobs.ts'
import type { RequestedFile } from '../../../src/shared/engine-api.ts'

const ASKING = { accountId: null, caller: 'window' }

const open = (isDesktop = true) => {
  const printed: string[] = []
  const saved: RequestedFile[] = []
  const handlers = createPrintHandlers({
    printer: isDesktop
      ? {
          print: (html) => Promise.resolve(void printed.push(html)),
          toPdf: (html) => Promise.resolve(Buffer.from(`%PDF ${html}`)),
        }
      : null,
    saveFile: (file) => {
      saved.push(file)
      return Promise.resolve({ kind: 'saved', path: file.filename })
    },
  })
  const add = (job: string, ...pieces: readonly string[]): void => {
    for (const [place, html] of pieces.entries()) void handlers['print.add']({ job, place, html }, ASKING)
  }
  const run = async (job: string, pieces: number, as: 'paper' | 'pdf', name = 'Hello') =>
    handlers['print.run']({ job, pieces, as, name }, ASKING)
  const preview = async (job: string, pieces: number) => handlers['print.preview']({ job, pieces }, ASKING)
  return { printed, saved, add, run, preview }
}

describe('a printed document', () => {
  it('is assembled from its pieces, and printed once', async () => {
    const { add, run, printed } = open()
    add('one', '<p>', 'Hello', '</p>')
    expect(await run('one', 3, 'paper')).toBeNull()
    expect(printed).toEqual(['<p>Hello</p>'])
    await expect(run('one', 3, 'paper')).rejects.toThrow('no longer available')
  })

  it('is previewed as on paper, once and whole, and never in a browser', async () => {
    const { add, preview, printed, saved } = open()
    add('one', '<p>', 'Hello', '</p>')
    await expect(preview('one', 2)).rejects.toThrow('no longer available')
    const { base64 } = await preview('one', 3)
    expect(Buffer.from(base64, 'base64').toString()).toBe('%PDF <p>Hello</p>')
    await expect(preview('one', 3)).rejects.toThrow('no longer available')
    expect([...printed, ...saved]).toEqual([])
    await expect(open(false).preview('one', 3)).rejects.toThrow('your browser’s print command')
  })

  it('is saved as a PDF with a name that is safe on every system', async () => {
    const { add, run, saved } = open()
    for (const name of ['Re: a/b\u202efdp', '..', 'CON', 'x'.repeat(500), '🙂'.repeat(100)]) {
      add(name, 'Hello')
      await run(name, 1, 'pdf', name)
    }
    expect(saved.map(({ filename }) => filename)).toEqual([
      'Re a b fdp.pdf',
      'E-mail.pdf',
      'CON_.pdf',
      `${'x'.repeat(120)}.pdf`,
      `${'🙂'.repeat(50)}.pdf`,
    ])
    expect(Buffer.from(saved[0]?.content ?? []).toString()).toBe('%PDF Hello')
  })

  it('is never mixed with another one, or printed in part', async () => {
    const { add, run, printed } = open()
    add('one', 'a', 'b')
    add('two', 'c')
    await expect(run('one', 2, 'paper')).rejects.toThrow('no longer available')
    await expect(run('two', 2, 'paper')).rejects.toThrow('no longer available')
    expect(() => add('one', 'x', 'y')).not.toThrow()
    expect(printed).toEqual([])
  })

  it('is left to the browser without a desktop', async () => {
    const { add, run } = open(false)
    add('one', 'a')
    await expect(run('one', 1, 'paper')).rejects.toThrow('your browser’s print command')
  })
})
