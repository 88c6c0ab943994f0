/** Characters of a document as glyphs, and lines that fit a width. */
import type { Fonts, Glyph, Weight } from './fonts.ts'

export interface SetGlyph extends Glyph {
  /** The character that is drawn; another than the text's where the font lacks that one. */
  character: string
}

export interface Typesetting {
  /** Return the glyphs of a text. */
  glyphs(text: string, weight: Weight): readonly SetGlyph[]
  /** Return the width of a text in the unit of its size. */
  width(text: string, weight: Weight, size: number): number
  /** Return a text as lines that fit a width; the last one ends with an ellipsis where lines are left out. */
  lines(text: string, weight: Weight, size: number, fit: { width: number; lines: number }): string[]
  /** Return the largest size at which a text fits a width in one line, between two bounds. */
  largest(text: string, weight: Weight, width: number, sizes: { min: number; max: number }): number
}

/** Drawn where the font lacks a character, such as one of a script that it does not have. */
const REPLACEMENT = '□'
const ELLIPSIS = '…'
/** Characters between which a line may break: Chinese and Japanese ones, and the punctuation of those scripts. */
const BREAKS_ANYWHERE = /[\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\u{20000}-\u{3ffff}]/u

/** Return a text in the pieces between which a line may break. */
const piecesOf = (text: string): string[] =>
  text.split(/(?<=\s)/).flatMap((word) =>
    [...word].reduce<string[]>((pieces, character) => {
      const last = pieces.at(-1)
      if (last === undefined || BREAKS_ANYWHERE.test(character) || BREAKS_ANYWHERE.test(last)) pieces.push(character)
      else pieces[pieces.length - 1] = last + character
      return pieces
    }, []),
  )

/**
 * Read the glyphs of all texts of a document, so that it can be laid out without waiting.
 * @param boldTexts those that are set in bold too; absent: all of them
 */
export async function typesetting(fonts: Fonts, texts: readonly string[], boldTexts = texts): Promise<Typesetting> {
  const charactersOf = (all: readonly string[]): Set<string> => new Set([...all.join(''), REPLACEMENT, ELLIPSIS])
  const bold = charactersOf(boldTexts)
  const glyphsOf: Record<Weight, Map<string, SetGlyph>> = { regular: new Map(), bold: new Map() }
  for (const character of await fonts.byPart([...charactersOf([...texts, ...boldTexts])]))
    for (const weight of ['regular', 'bold'] as const) {
      const glyph = weight === 'bold' && !bold.has(character) ? null : await fonts.glyph(character, weight)
      if (glyph !== null) glyphsOf[weight].set(character, { ...glyph, character })
    }

  const glyphs = (text: string, weight: Weight): SetGlyph[] =>
    [...text].flatMap((character) => glyphsOf[weight].get(character) ?? glyphsOf[weight].get(REPLACEMENT) ?? [])
  const width = (text: string, weight: Weight, size: number): number =>
    (glyphs(text, weight).reduce((sum, { advance }) => sum + advance, 0) * size) / 1000

  /** Return the longest beginning of a text that fits together with an ending; at least one character. */
  function beginning(text: string, ending: string, weight: Weight, size: number, limit: number): string {
    let fitting = ''
    for (const character of text) {
      if (fitting !== '' && width(fitting + character + ending, weight, size) > limit) break
      fitting += character
    }
    return fitting
  }

  return {
    glyphs,
    width,
    lines(text, weight, size, fit) {
      const lines: string[] = []
      let line = ''
      const add = (piece: string): void => {
        if (line === '' || width((line + piece).trimEnd(), weight, size) <= fit.width) line += piece
        else {
          lines.push(line)
          line = piece
        }
        // A word that is longer than a line is broken where the line ends.
        while (width(line.trimEnd(), weight, size) > fit.width) {
          const part = beginning(line, '', weight, size, fit.width)
          if (part === line) break
          lines.push(part)
          line = line.slice(part.length)
        }
      }
      for (const piece of piecesOf(text.replace(/\s+/g, ' ').trim())) add(piece)
      if (line !== '') lines.push(line)
      const shown = lines.slice(0, fit.lines).map((one) => one.trim())
      if (lines.length > fit.lines) shown[fit.lines - 1] = beginning(shown.at(-1)!, ELLIPSIS, weight, size, fit.width) + ELLIPSIS
      return shown
    },
    largest(text, weight, limit, { min, max }) {
      const natural = width(text, weight, 1)
      return natural === 0 ? max : Math.max(min, Math.min(max, Math.floor((limit / natural) * 10) / 10))
    },
  }
}
