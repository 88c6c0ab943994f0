/** Return whether a file begins like a JPEG, PNG or WebP. The decoder reads no other files: it knows formats that have no place here. */
export function looksLikePicture(bytes: Buffer): boolean {
  const begins = (text: string, at = 0) => bytes.toString('latin1', at, at + text.length) === text
  return begins('\x89PNG\r\n\x1a\n') || begins('\xff\xd8\xff') || (begins('RIFF') && begins('WEBP', 8))
}
