import qrcode from 'qrcode'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createCodeFinder } from './code-finder.ts'
import { createCodeWatch, type CodeWatchOptions } from './code-watch.ts'

const PASS = `GHP1${'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.repeat(6).slice(0, 162)}`

/** A picture of a camera, with a code turned by some degrees, or without one. */
async function pictureOf(text: string | null, { width = 300, degrees = 0 } = {}): Promise<Uint8Array> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const room = sharp({ create: { width: 1280, height: 720, channels: 3, background: '#888', noise } })
  if (text === null) return room.jpeg().toBuffer()
  const code = await sharp(await qrcode.toBuffer(text, { scale: 12, margin: 4, errorCorrectionLevel: 'M' }))
    .resize(width)
    .rotate(degrees, { background: '#fff' })
    .toBuffer()
  return room
    .composite([{ input: code, left: 300, top: 60 }])
    .jpeg({ quality: 75 })
    .toBuffer()
}

describe('the finder', () => {
  const find = createCodeFinder()

  test('reads a pass in a noisy picture, small, large and turned, and finds none where there is none', async () => {
    for (const how of [{ width: 180 }, { width: 300, degrees: 15 }, { width: 420, degrees: 40 }])
      expect(await find(await pictureOf(PASS, how))).toBe(PASS)
    expect(await find(await pictureOf(null))).toBeNull()
  })

  test('refuses what is no picture', async () => {
    await expect(find(Buffer.from('no picture'))).rejects.toThrow('unsupported image format')
  })
})

describe('the watch', () => {
  /** A watch of pictures that are their own texts. */
  function watching(change: Partial<CodeWatchOptions> = {}) {
    const shown: string[] = []
    const clock = { now: 0 }
    const sentences: string[] = []
    const watch = createCodeWatch({
      find: async (picture) => Buffer.from(picture).toString() || null,
      isExpected: () => true,
      isOurs: (text) => text !== 'poster',
      show: async (text) => (shown.push(text), text === 'refused'),
      log: (sentence) => void sentences.push(sentence),
      now: () => clock.now,
      ...change,
    })
    const see = async (text: string, after = 400) => {
      clock.now += after
      watch.take(Buffer.from(text))
      await watch.settled()
    }
    return { shown, sentences, see }
  }

  test('searches three pictures a second at most, and none while no code is expected', async () => {
    const { shown, see } = watching()
    for (const text of ['one', 'two', 'three', 'four']) await see(text, 100)
    expect(shown).toEqual(['one'])
    const idle = watching({ isExpected: () => false })
    await idle.see('one')
    expect(idle.shown).toEqual([])
  })

  test('shows a code once as long as it is held there, and again when it comes back; one that was refused is shown again', async () => {
    const { shown, see } = watching()
    for (let time = 0; time < 20; time++) await see('pass')
    expect(shown).toEqual(['pass'])
    for (let time = 0; time < 6; time++) await see('')
    await see('pass')
    expect(shown).toEqual(['pass', 'pass'])
    await see('refused')
    await see('refused')
    expect(shown.slice(2)).toEqual(['refused', 'refused'])
  })

  test('leaves codes of others alone, and goes on after a picture that cannot be read', async () => {
    let isBroken = true
    const { shown, sentences, see } = watching({
      find: async (picture) => {
        if (isBroken) throw new Error('broken')
        return Buffer.from(picture).toString()
      },
    })
    await see('pass')
    expect(sentences).toEqual(['A picture could not be searched for codes: broken'])
    isBroken = false
    await see('poster')
    await see('pass')
    expect(shown).toEqual(['pass'])
  })
})
