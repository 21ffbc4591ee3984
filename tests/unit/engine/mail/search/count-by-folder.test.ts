import { describe, expect, it } from 'vitest'
import { countByFolder, countFolders } from '../../../../../src/engine/mail/search/count-by-folder.ts'
import { countPerFolder } from '../../../../../src/shared/folder-counts.ts'

const NO_THREADS = countPerFolder(() => 0)
const ending = () => new AbortController()

describe('thread counts by folder', () => {
  it('are computed in turns, to the end', async () => {
    const asked: (number | null)[] = []
    const { signal } = ending()
    const counted = await countByFolder((from, threads) => {
      asked.push(from)
      const next = (from ?? 0) + threads
      return { folders: { ...NO_THREADS, archive: 2, sent: 1 }, next: next > 1_000 ? null : next }
    }, signal)
    expect(counted).toEqual({
      folders: { ...NO_THREADS, archive: 2 * asked.length, sent: asked.length },
      isWhole: true,
    })
    expect(asked[0]).toBeNull()
    expect(asked.length).toBeGreaterThan(1)
  })

  it('are lower bounds while another search is counted', async () => {
    const end = ending()
    const counted = await countByFolder((from) => {
      if (from !== null) end.abort()
      return { folders: { ...NO_THREADS, inbox: 1 }, next: (from ?? 0) + 1 }
    }, end.signal)
    expect(counted).toEqual({ folders: { ...NO_THREADS, inbox: 2 }, isWhole: false })
  })

  it('are taken from a list of folders, without unknown ones', () => {
    expect(countFolders(['inbox', 'trash', 'inbox', 'a folder of tomorrow'])).toEqual({
      ...NO_THREADS,
      inbox: 2,
      trash: 1,
    })
  })
})
