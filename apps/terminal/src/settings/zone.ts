/** The zone whose time a terminal shows. */

/**
 * A zone as `Intl` takes it: the offset the settings name, else the zone of the manifest, else none, which is the zone of
 * whoever shows the time.
 * @param offset minutes east of UTC, as the setting `timeZone`
 */
export function zoneShown(offset: number | null, ofManifest: string | undefined): string | undefined {
  if (offset === null) return ofManifest
  const minutes = Math.abs(offset)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`
}
