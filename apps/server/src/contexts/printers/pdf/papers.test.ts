/** Badges and slips: their texts, sizes and pictures. */
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { linesOfPdf, picturesOfPdf, sizeOfPdf } from '../../../platform/documents/testing/pdf.ts'
import { badgeOf } from './badge.ts'
import { createFonts } from '../../../platform/documents/pdf/fonts.ts'
import type { Paper } from './paper.ts'
import { slipOf } from './slip.ts'
import { typesetting } from '../../../platform/documents/pdf/typesetting.ts'

const fonts = createFonts()
const picture = async (width: number, height: number) => ({
  jpeg: await sharp({ create: { width, height, channels: 3, background: '#446688' } })
    .jpeg()
    .toBuffer(),
  width,
  height,
})
const PAPER: Paper = {
  title: '访客 欧阳震华',
  heading: '访客',
  company: '港湾园区',
  name: '欧阳震华',
  rows: [
    { title: '被访人', value: '李龍飛' },
    { title: 'Company', value: 'Müller & Söhne' },
  ],
  validity: { title: '有效期至', value: '2026年12月1日 18:00' },
  note: '离开时请交还访客证。',
  photo: null,
  logo: null,
  code: null,
}

test('a badge is a label of 62 × 100 mm, and its Chinese and Latin texts can be read from it', async () => {
  const pdf = await badgeOf(fonts, { ...PAPER, photo: await picture(307, 378), logo: await picture(200, 80) })
  expect(sizeOfPdf(pdf)).toEqual([62, 100])
  // A logo stands where the company would.
  expect(linesOfPdf(pdf).toSorted()).toEqual(
    [
      '访客',
      '欧阳震华',
      '被访人',
      '李龍飛',
      'Company',
      'Müller & Söhne',
      '有效期至',
      '2026年12月1日 18:00',
      '离开时请交还访客证。',
    ].toSorted(),
  )
  expect(picturesOfPdf(pdf)).toBe(2)
  expect(pdf.subarray(0, 8).toString()).toBe('%PDF-1.4')
  expect(pdf.length).toBeLessThan(120_000)
})

test('a slip is 80 mm wide, and as long as what stands on it', async () => {
  const short = sizeOfPdf(await slipOf(fonts, PAPER))
  const long = sizeOfPdf(await slipOf(fonts, { ...PAPER, photo: await picture(307, 378), code: 'https://gate.example.org/v/1' }))
  expect([short[0], long[0]]).toEqual([80, 80])
  expect(long[1] - short[1]).toBeGreaterThan(70)
  expect(linesOfPdf(await slipOf(fonts, PAPER))).toContain('港湾园区')
})

test('what does not fit is broken into lines or ends with an ellipsis, and never leaves the label', async () => {
  const rows = Array.from({ length: 12 }, (_, at) => ({ title: `Field ${at}`, value: 'value' }))
  const lines = linesOfPdf(await badgeOf(fonts, { ...PAPER, name: 'A name of very many letters '.repeat(6), rows }))
  expect(lines.find((line) => line.startsWith('A name'))).toBeDefined()
  expect(lines.some((line) => line.endsWith('…'))).toBe(true)
  expect(lines.filter((line) => line.startsWith('Field')).length).toBeLessThan(8)
  // The validity has its place whatever stands above it.
  expect(lines).toContain('有效期至')
})

test('a character that the font lacks is drawn as a box, and lines break between Chinese characters only where they must', async () => {
  const type = await typesetting(fonts, ['ក ab', '上海市 浦东新区'])
  expect(type.glyphs('ក', 'regular').map(({ character }) => character)).toEqual(['□'])
  expect(type.lines('上海市浦东新区', 'regular', 10, { width: 35, lines: 9 })).toEqual(['上海市', '浦东新', '区'])
  expect(type.lines('', 'regular', 10, { width: 35, lines: 9 })).toEqual([])
})
