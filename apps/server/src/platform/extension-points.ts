/**
 * Extension points: how an area calls areas above it, on which it does not depend. The lower area declares the point beside its service;
 * areas above add to it by the `extensions` of their context. Extensions are read only once all areas are created, so no call can reach
 * an area that does not exist yet, and an absent area needs no stand-in.
 */

/** A point for extensions of one type. */
export interface ExtensionPoint<Extension> {
  readonly name: string
  /** Never set: it binds the type to the point. */
  readonly extension?: Extension
}

/** A point that exactly one area above extends. */
export interface SinglePoint<Extension> extends ExtensionPoint<Extension> {
  readonly single: true
}

/** An extension with its point. */
export interface Registration {
  point: ExtensionPoint<unknown>
  extension: unknown
}

export interface Extensions {
  /** Return all extensions of a point, in the order of the areas. */
  all<Extension>(point: ExtensionPoint<Extension>): readonly Extension[]
  /** Return the extension of a point that exactly one area extends. */
  one<Extension>(point: SinglePoint<Extension>): Extension
}

export interface CollectedExtensions extends Extensions {
  /** Register the extensions of all areas; from here on they may be read. */
  complete(registrations: readonly Registration[]): void
}

/** Declare a point that any number of areas extend. @param name `<area>.<what>`, for messages */
export const extensionPoint = <Extension>(name: string): ExtensionPoint<Extension> => ({ name })

/** Declare a point that exactly one area extends; a test checks that this is so. @param name `<area>.<what>` */
export const singlePoint = <Extension>(name: string): SinglePoint<Extension> => ({ name, single: true })

/** Add an extension to a point. */
export const extend = <Extension>(point: ExtensionPoint<Extension>, extension: Extension): Registration => ({ point, extension })

/**
 * Return the collection of extensions. Its methods throw while areas are still being created. @throws by `one`, unless exactly one area
 * extends the point
 */
export function collectExtensions(): CollectedExtensions {
  let byPoint: Map<ExtensionPoint<unknown>, unknown[]> | null = null

  function all<Extension>(point: ExtensionPoint<Extension>): readonly Extension[] {
    if (byPoint === null) throw new Error(`${point.name} is asked for while areas are still being put together`)
    return (byPoint.get(point) ?? []) as Extension[]
  }

  return {
    all,
    one(point) {
      const found = all(point)
      if (found.length !== 1) throw new Error(`${point.name} is served by ${found.length} areas, not by one`)
      return found[0]!
    },
    complete(registrations) {
      byPoint = new Map()
      for (const { point, extension } of registrations) byPoint.set(point, [...(byPoint.get(point) ?? []), extension])
    },
  }
}
