/** The documents of jobs. They are made when they are sent, of what a visit is then. */
import sharp from 'sharp'
import type { Language } from '@gatehouse/contract'
import { mask } from '@gatehouse/contract/masking'
import type { PrintMedia } from '@gatehouse/contract/printers/calls'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import { fileTexts } from '../../platform/texts.ts'
import type { VisitBadge } from '../visitors/index.ts'
import type { PrintersDependencies } from './dependencies.ts'
import { BADGE_PHOTO, badgeOf } from './pdf/badge.ts'
import type { Picture } from '../../platform/documents/pdf/document.ts'
import { createFonts } from '../../platform/documents/pdf/fonts.ts'
import type { Paper } from './pdf/paper.ts'
import { slipOf } from './pdf/slip.ts'

export interface PaperOptions {
  media: PrintMedia
  language: Language
}

export interface Papers {
  /** Return the badge or slip of a visit as PDF. @param masked names are printed as a user sees them who sees personal data masked */
  ofVisit(scope: Scope, visit: VisitBadge, options: PaperOptions & { masked: boolean }): Promise<Buffer>
  testPage(scope: Scope, printer: { name: string; address: string }, options: PaperOptions): Promise<Buffer>
}

/** Dots of a millimetre at 300 dots an inch, which printers of labels have at most. */
const DOTS_PER_MM = 300 / 25.4
const LOGO_WIDTH_MM = 50
const JPEG_QUALITY = 88

/** Return the part of a photo that fills its place on a badge. */
async function photoOf(bytes: Buffer): Promise<Picture> {
  const [width, height] = [Math.round(BADGE_PHOTO.width * DOTS_PER_MM), Math.round(BADGE_PHOTO.height * DOTS_PER_MM)]
  const picture = sharp(bytes).resize(width, height, { fit: 'cover' }).toColourspace('srgb').jpeg({ quality: JPEG_QUALITY })
  return { jpeg: await picture.toBuffer(), width, height }
}

/** Return a logo on white: PDF has transparency, and many printers do not. */
async function logoOf(bytes: Buffer): Promise<Picture> {
  const side = Math.round(LOGO_WIDTH_MM * DOTS_PER_MM)
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .jpeg({ quality: JPEG_QUALITY })
    .toBuffer({ resolveWithObject: true })
  return { jpeg: data, width: info.width, height: info.height }
}

export function createPapers(
  { storage, clock }: Pick<Platform, 'storage' | 'clock'>,
  { organisation, logo }: Pick<PrintersDependencies, 'organisation' | 'logo'>,
): Papers {
  const fonts = createFonts()
  const documentOf = (paper: Paper, media: PrintMedia): Promise<Buffer> =>
    media === 'badge' ? badgeOf(fonts, paper) : slipOf(fonts, paper)
  const timeText = (scope: Scope, language: Language, moment: number): string =>
    new Intl.DateTimeFormat(language, {
      dateStyle: 'medium',
      timeStyle: 'short',
      hourCycle: 'h23',
      timeZone: organisation.park(scope).zone,
    }).format(moment)

  async function parkLogo(scope: Scope): Promise<Picture | null> {
    const fileId = logo(scope.parkId)
    const file = fileId === null ? null : await storage.readPublic(fileId, 'full')
    return file === null ? null : logoOf(file.bytes)
  }

  return {
    async ofVisit(scope, visit, { media, language, masked }) {
      const words = fileTexts(language).badges
      const nameOf = (name: string): string => (masked ? mask('name', name) : name)
      const photo = visit.photoFileId === null ? null : await storage.load(scope, visit.photoFileId, 'full')
      const name = nameOf(visit.name)
      const paper: Paper = {
        title: `${words.visitor} ${name}`,
        heading: words.visitor,
        company: visit.company,
        name,
        rows: [
          ...(visit.hostName === '' ? [] : [{ title: words.host, value: nameOf(visit.hostName) }]),
          ...visit.fields,
          ...(visit.persons > 1 ? [{ title: words.persons, value: String(visit.persons) }] : []),
        ],
        validity: { title: words.validUntil, value: timeText(scope, language, visit.validUntil) },
        note: words.returnNote,
        photo: photo === null ? null : await photoOf(photo),
        logo: await parkLogo(scope),
        code: visit.code,
      }
      return documentOf(paper, media)
    },
    async testPage(scope, { name, address }, { media, language }) {
      const words = fileTexts(language).badges
      const paper: Paper = {
        title: words.test,
        heading: words.test,
        company: organisation.park(scope).name,
        name,
        rows: [{ title: words.printer, value: address }],
        validity: { title: words.time, value: timeText(scope, language, clock.now()) },
        note: words.testWords,
        photo: null,
        logo: await parkLogo(scope),
        code: null,
      }
      return documentOf(paper, media)
    },
  }
}
