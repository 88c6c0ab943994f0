/**
 * Extension points: what an area asks of areas above it, which it does not know. The area that asks declares the point beside its service; those
 * above add to it by the `extensions` of their context. They are read once everything is put together, so nothing can be asked of an
 * area that does not exist yet, and an area that is not built needs no stand-in.
 */

/** A place for extensions of one shape. */
export interface ExtensionPoint<Extension> {
  readonly name: string
  /** Never there: it ties the shape to the point. */
  readonly extension?: Extension
}

/** A point that exactly one area above serves. */
export interface SinglePoint<Extension> extends ExtensionPoint<Extension> {
  readonly single: true
}

/** An extension with its point. */
export interface Registration {
  point: ExtensionPoint<unknown>
  extension: unknown
}

export interface Extensions {
  /** All extensions of a point, in the order of the areas. */
  all<Extension>(point: ExtensionPoint<Extension>): readonly Extension[]
  /** The extension of a point that exactly one area serves. */
  one<Extension>(point: SinglePoint<Extension>): Extension
}

export interface CollectedExtensions extends Extensions {
  /** Takes what all areas add; from here on extensions may be read. */
  complete(registrations: readonly Registration[]): void
}

/** Declare a point that any number of areas serve. @param name `<area>.<what>`, for messages */
export const extensionPoint = <Extension>(name: string): ExtensionPoint<Extension> => ({ name })

/** Declare a point that exactly one area serves. A test holds that each is. @param name `<area>.<what>` */
export const singlePoint = <Extension>(name: string): SinglePoint<Extension> => ({ name, single: true })

/** Add an extension to a point. */
export const extend = <Extension>(point: ExtensionPoint<Extension>, extension: Extension): Registration => ({ point, extension })

/** Do work inside all guards of a point: the first is the outermost. @param enter hands the work to one guard */
export const guarded = <Guard, Answer>(
  guards: readonly Guard[],
  enter: (guard: Guard, work: () => Promise<Answer>) => Promise<Answer>,
  work: () => Promise<Answer>,
): Promise<Answer> => guards.reduceRight<() => Promise<Answer>>((next, guard) => () => enter(guard, next), work)()

/** @throws by its methods, while areas are still being put together; by `one`, unless exactly one area serves the point */
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
