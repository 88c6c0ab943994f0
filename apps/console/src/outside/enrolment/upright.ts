/** Photographs of a phone are larger than the server keeps: upright, at most so many pixels, as JPEG. */

/** Pixels of the longer side: what the server keeps. */
const LONGEST = 1600
const JPEG_QUALITY = 0.92

/** The picture as it is to be sent; unchanged where this browser cannot read it, so that the server may say what is wrong. */
export async function uprightPhoto(file: Blob): Promise<Blob> {
  try {
    // Turned as the camera noted.
    const picture = await createImageBitmap(file, { imageOrientation: 'from-image' })
    const scale = Math.min(1, LONGEST / Math.max(picture.width, picture.height))
    const canvas = document.createElement('canvas')
    canvas.width = Math.round(picture.width * scale)
    canvas.height = Math.round(picture.height * scale)
    const context = canvas.getContext('2d')
    if (context === null) return file
    context.imageSmoothingQuality = 'high'
    context.drawImage(picture, 0, 0, canvas.width, canvas.height)
    picture.close()
    return (await new Promise<Blob | null>((made) => canvas.toBlob(made, 'image/jpeg', JPEG_QUALITY))) ?? file
  } catch {
    return file
  }
}
