/** The variants of a picture. */
import sharp, { type Sharp } from 'sharp'
import { IMAGE_PIXELS_MAX } from '@gatehouse/contract'

export const VARIANTS = ['96', '320', 'full'] as const
export type Variant = (typeof VARIANTS)[number]
export type SmallVariant = Exclude<Variant, 'full'>

export const isVariant = (text: string): text is Variant => (VARIANTS as readonly string[]).includes(text)

/** Pixels on the longer side of the largest variant. */
export const FULL_SIDE = 1600
/** The same for a background, which fills a large screen. */
export const BACKGROUND_SIDE = 3840

/** The square of an upright picture that its small variants show. */
export interface PicturePart {
  left: number
  top: number
  side: number
}

/** Open a picture, turned upright. All metadata is dropped: a photograph must not reveal where it was taken. */
const upright = (picture: Uint8Array): Sharp => sharp(picture, { limitInputPixels: IMAGE_PIXELS_MAX }).autoOrient()

/** Return a small variant as WebP: 96 fills its square, 320 keeps its aspect ratio. */
const small = (picture: Sharp, variant: SmallVariant): Promise<Buffer> =>
  variant === '96'
    ? picture.clone().resize(96, 96, { fit: 'cover' }).webp({ quality: 80 }).toBuffer()
    : picture.clone().resize(320, 320, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 82 }).toBuffer()

const full = (picture: Sharp, side: number): Promise<Buffer> =>
  picture.clone().resize(side, side, { fit: 'inside', withoutEnlargement: true }).webp({ quality: 88 }).toBuffer()

/** Return all variants of an uploaded picture. @throws where it is not a picture */
export async function allVariants(picture: Uint8Array, side: number, part?: PicturePart): Promise<Record<Variant, Buffer>> {
  const source = upright(picture)
  const shown =
    part === undefined ? source : source.clone().extract({ left: part.left, top: part.top, width: part.side, height: part.side })
  const [thumbnail, medium, whole] = await Promise.all([small(shown, '96'), small(shown, '320'), full(source, side)])
  return { '96': thumbnail, '320': medium, full: whole }
}

/** Return the full variant of an uploaded picture. @throws where it is not a picture, or empty */
export const fullVariant = async (picture: Uint8Array): Promise<Buffer> => full(upright(picture), FULL_SIDE)

/** Return a small variant of a full one. @throws where that is not a picture */
export const smallVariant = async (picture: Uint8Array, variant: SmallVariant): Promise<Buffer> => small(upright(picture), variant)
