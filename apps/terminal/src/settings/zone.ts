/** The zone whose time a terminal shows. */

/**
 * Return a zone as `Intl` takes it: the offset of the settings, otherwise the zone of the manifest, otherwise none, which means the zone of
 * the machine that shows the time.
 * @param offset minutes east of UTC, as the setting `timeZone`
 */
export function zoneShown(offset: number | null, ofManifest: string | undefined): string | undefined {
  if (offset === null) return ofManifest
  const minutes = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
