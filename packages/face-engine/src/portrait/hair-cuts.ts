/** Where the hair of each cut grows and falls, as sheets of guides in millimetres of the head. */
import type { Sheet } from './hair.ts'
import { scalpOf } from './scalp.ts'
import type { Scalp } from './scalp.ts'
import { clamp, mix, pointsOf } from './shapes.ts'
import type { Point } from './shapes.ts'
import type { HairCut, Traits } from './traits.ts'

export interface Cut {
  /** Behind the neck and the shoulders. */
  behind: readonly Sheet[]
  front: readonly Sheet[]
  ears: boolean
}

interface Measures {
  hairline: number
  cheek: number
  /** Where hair is parted, as `Scalp` counts around. */
  part: number
  scalp: Scalp
}

type Side = 1 | -1

const evenly = (from: number, to: number, count: number) => Array.from({ length: count }, (_, i) => mix(from, to, i / (count - 1)))

/**
 * Hair from the hairline outwards over the scalp: the mass of every short cut.
 * @param lean how far around it leans on its way, and `gather` how far it runs together towards the crown
 */
function cap(
  scalp: Scalp,
  from: number,
  to: number,
  lean: number,
  { gather = 0.35, ...sheet }: Partial<Sheet> & { gather?: number },
): Sheet {
  return {
    guides: evenly(from, to, 17).map((around) =>
      evenly(0, 1, 7).map((up) => {
        const far = Math.abs(around)
        return scalp(clamp(around * (1 - gather * up * far) + lean * up * (1 - far), -1, 1), 1 - (1 - up) ** (1 + 2.2 * gather * far))
      }),
    ),
    density: 1.6,
    clump: 0.3,
    brush: 6,
    fadeIn: 0.12,
    ...sheet,
  }
}

/** Hair that falls from the parting down one side, in three layers from the face to the outline. */
function fall(
  { scalp, cheek, part }: Measures,
  side: Side,
  { tip, flare = 0, inward = 0, face = 0, start = 0 }: { tip: number; flare?: number; inward?: number; face?: number; start?: number },
): Point[][] {
  return [0, 0.5, 1].map((layer) => {
    const top = evenly(0, 1, 5).map((share) => {
      const { x, y } = scalp(mix(part - side * 0.09 * layer, side * 0.84, share), mix(start, 1, layer))
      return { x: x - side * face * share * (1 - layer), y }
    })
    const width = mix(cheek - face * 0.6, cheek + 15, layer)
    return [
      ...top,
      ...pointsOf(
        [side * (width + flare * 0.25), mix(-5, tip, 0.25)],
        [side * (width + 1 + flare * 0.6), mix(-5, tip, 0.6)],
        [side * (width - 1 + flare * 0.9), mix(-5, tip, 0.85)],
        [side * (width - 4 + flare - inward), tip + (layer === 0 ? -3 : 3)],
      ),
    ]
  })
}

const bothSides = (make: (side: Side) => Sheet): Sheet[] => [make(-1), make(1)]

/** The mass that is seen beside and below the neck. */
const curtainBehind = ({ cheek }: Measures, tip: number, flare = 0): Sheet => ({
  guides: evenly(-1, 1, 7).map((share) =>
    pointsOf(
      [share * cheek, -60],
      [share * (cheek + 12), 0],
      [share * (cheek + 10 + flare), tip * 0.6],
      [share * (cheek + 2 + flare), tip - Math.abs(share) * 5],
    ),
  ),
  tone: 0.5,
  ends: [0.97, 1],
  fadeOut: 0.05,
})

/** A fringe from the crown down over the forehead. @param low where it ends in the middle @param wide share of the forehead */
const fringe = ({ scalp }: Measures, low: number, wide = 0.62): Sheet => ({
  guides: evenly(-1, 1, 9).map((at) => {
    const [root, bend] = [scalp(at * wide * 0.55, 0.82), scalp(at * wide * 0.9, 0.3)]
    const edge = scalp(at * wide, 0)
    return [root, bend, { x: edge.x * 1.0, y: mix(edge.y, low, 0.45) }, { x: edge.x * 0.98, y: low + at * at * 9 }]
  }),
  density: 0.9,
  clump: 0.8,
  stray: 2,
  fadeOut: 0.35,
})

/** Hair combed across from a parting to one side. */
const combed = ({ scalp }: Measures, from: number, to: number, sheet: Partial<Sheet> = {}): Sheet => ({
  guides: evenly(0, 1, 6).map((layer) =>
    evenly(0, 1, 6).map((share) => {
      const up = mix(layer, layer * 0.94, share)
      return scalp(mix(from * (1 - layer * 0.5) - Math.sign(to - from) * 0.07 * layer, to, share), up)
    }),
  ),
  density: 1,
  clump: 0.5,
  stray: 1.5,
  brush: 7,
  softEdge: true,
  ...sheet,
})

/** A tuft of short hair over the forehead. @param low millimetres below the hairline its tips reach */
const tufts = ({ scalp }: Measures, low: number, lean: number): Sheet => ({
  guides: evenly(-1, 1, 9).map((at) => {
    const [root, bend, edge] = [scalp(at * 0.4, 0.78), scalp(at * 0.5 + lean * 0.05, 0.35), scalp(at * 0.52 + lean * 0.1, 0)]
    return [root, bend, { x: edge.x, y: edge.y + low * 0.35 }, { x: edge.x + lean * 4, y: edge.y + low * (1 - 0.4 * at * at) }]
  }),
  from: [0, 0.45],
  span: [0.35, 0.55],
  density: 1.5,
  clump: 0.85,
  stray: 2.6,
  brush: 4,
  fadeOut: 0.5,
})

const SHORT: Partial<Sheet> = { ends: [0.9, 1], from: [0, 0.72], span: [0.24, 0.42], stray: 1.6 }
const SHAVED: Partial<Sheet> = { ends: [0.86, 1], from: [0, 0.84], span: [0.12, 0.22], stray: 1.2, clump: 0, brush: 5 }

/** Cuts that hang: the scalp lies close, the lengths fall. */
const CUTS: Readonly<Record<HairCut, (traits: Traits) => Cut>> = {
  long: (traits) => {
    const m = measured(traits, 8)
    return {
      behind: [curtainBehind(m, 205)],
      front: bothSides((side) => ({ guides: fall(m, side, { tip: 182 }), softEdge: true })),
      ears: false,
    }
  },
  waves: (traits) => {
    const m = measured(traits, 10)
    return {
      behind: [curtainBehind(m, 200, 8)],
      front: bothSides((side) => ({
        guides: fall(m, side, { tip: 174, flare: 11, face: 3 }),
        softEdge: true,
        wave: [4.2, 2.3],
        clump: 0.85,
        stray: 2.2,
      })),
      ears: false,
    }
  },
  curtain: (traits) => {
    const m = { ...measured(traits, 9), part: measured(traits, 9).part * 0.3 }
    return {
      behind: [curtainBehind(m, 200)],
      front: [
        ...bothSides((side) => ({ guides: fall(m, side, { tip: 160, flare: 4, start: 0.1 }), softEdge: true, wave: [1.6, 1.2] })),
        ...bothSides((side) => ({
          guides: [0.02, 0.3, 0.6].map((layer) => [
            m.scalp(m.part, layer),
            m.scalp(m.part + side * 0.16, layer + 0.08),
            { x: side * mix(40, 50, layer), y: mix(-50, -62, layer) },
            { x: side * mix(m.cheek - 12, m.cheek - 4, layer), y: -14 },
            { x: side * mix(m.cheek - 5, m.cheek + 3, layer), y: mix(18, 34, layer) },
          ]),
          density: 0.4,
          clump: 0.8,
        })),
      ],
      ears: false,
    }
  },
  fringe: (traits) => {
    const m = { ...measured(traits, 8), part: 0 }
    return {
      behind: [curtainBehind(m, 205)],
      front: [...bothSides((side) => ({ guides: fall(m, side, { tip: 178, face: 5 }), softEdge: true })), fringe(m, -24)],
      ears: false,
    }
  },
  bob: (traits) => {
    const m = measured(traits, 9)
    return {
      behind: [curtainBehind(m, 97)],
      front: bothSides((side) => ({ guides: fall(m, side, { tip: 100, flare: 6, inward: 9, face: 2 }), softEdge: true })),
      ears: false,
    }
  },
  bobFringe: (traits) => {
    const m = { ...measured(traits, 9), part: 0 }
    return {
      behind: [curtainBehind(m, 88)],
      front: [
        ...bothSides((side) => ({ guides: fall(m, side, { tip: 90, flare: 5, inward: 10, face: 6 }), softEdge: true })),
        fringe(m, -26),
      ],
      ears: false,
    }
  },
  ponytail: (traits) => ({
    behind: [
      {
        guides: [pointsOf([36, 40], [58, 90], [64, 150], [56, 195]), pointsOf([56, 30], [80, 90], [88, 150], [78, 190])],
        density: 0.5,
        clump: 0.7,
      },
    ],
    front: [cap(scalpOf(traits, 2), -1, 1, 0, { gather: 0.62, ends: [0.94, 1], density: 1.6, clump: 0.25, stray: 0.8, brush: 8 })],
    ears: true,
  }),
  bun: (traits) => ({
    behind: [
      {
        guides: evenly(-1, 1, 7).map((at) => pointsOf([at * 20, -106], [at * 31, -124], [at * 25, -142 + at * at * 9], [at * 5, -147])),
        density: 0.7,
        wave: [2, 1],
        clump: 0.7,
      },
    ],
    front: [cap(scalpOf(traits, 2), -1, 1, 0, { gather: 0.62, ends: [0.94, 1], density: 1.6, clump: 0.25, stray: 0.8, brush: 8 })],
    ears: true,
  }),
  tucked: (traits) => {
    const m = measured(traits, 6)
    return {
      behind: [curtainBehind(m, 122, 2)],
      front: bothSides((side) => ({
        guides: [0, 0.5, 1].map((layer) => [
          ...evenly(0, 1, 5).map((share) => m.scalp(mix(m.part - side * 0.09 * layer, side * 0.93, share), layer)),
          { x: side * (m.cheek + mix(6, 8, layer)), y: mix(13, 15, layer) },
        ]),
        brush: 8,
        softEdge: true,
      })),
      ears: true,
    }
  },
  permed: (traits) => {
    const m = measured(traits, 14)
    return {
      behind: [curtainBehind(m, 58, 6)],
      front: bothSides((side) => ({
        guides: fall(m, side, { tip: 62, flare: 11, inward: 3, face: 4 }),
        softEdge: true,
        wave: [3.6, 3.4],
        clump: 0.9,
        stray: 2.6,
      })),
      ears: false,
    }
  },
  sidePart: (traits) => {
    const m = measured(traits, 9)
    const to = traits.part > 0 ? -1 : 1
    const from = -to * mix(0.24, 0.34, Math.abs(traits.part) / 30)
    return {
      behind: [],
      front: [cap(m.scalp, -1, 1, 0, { ...SHORT, tone: 0.85 }), combed(m, from, -to * 0.74, { density: 0.6 }), combed(m, from, to * 0.76)],
      ears: true,
    }
  },
  crop: (traits) => {
    const m = measured(traits, 9)
    return {
      behind: [],
      front: [cap(m.scalp, -1, 1, 0, { ...SHORT, stray: 2.4, clump: 0.6 }), tufts(m, 15, traits.part > 0 ? 1 : -1)],
      ears: true,
    }
  },
  quiff: (traits) => {
    const m = measured(traits, 15)
    return {
      behind: [],
      front: [
        cap(scalpOf(traits, 4), -1, 1, 0, { ...SHAVED, tone: 0.85 }),
        cap(m.scalp, -0.5, 0.5, traits.part > 0 ? 0.22 : -0.22, { density: 1.1, clump: 0.75, stray: 2.2, span: [0.6, 1], from: [0, 0.2] }),
      ],
      ears: true,
    }
  },
  crew: (traits) => ({ behind: [], front: [cap(scalpOf(traits, 1), -1, 1, 0, { ...SHAVED, density: 2.4, fadeIn: 0.25 })], ears: true }),
  middlePart: (traits) => {
    const m = measured(traits, 12)
    const part = m.part * 0.3
    return {
      behind: [],
      front: [
        cap(scalpOf(traits, 7), -1, 1, 0, { ...SHORT, tone: 0.8 }),
        combed(m, part, -0.7, { clump: 0.7 }),
        combed(m, part, 0.7, { clump: 0.7 }),
      ],
      ears: true,
    }
  },
  fringeMan: (traits) => {
    const m = measured(traits, 11)
    return { behind: [], front: [cap(m.scalp, -1, 1, 0, SHORT), { ...fringe(m, -40, 0.56), stray: 3, clump: 0.9 }], ears: true }
  },
  receding: (traits) => {
    const scalp = scalpOf(traits, 2, 13)
    return { behind: [], front: [cap(scalp, -1, 1, 0.1, { ...SHORT, cover: 0.85, fadeIn: 0.3 })], ears: true }
  },
  swept: (traits) => {
    const m = measured(traits, 9)
    return {
      behind: [],
      front: [
        cap(m.scalp, -1, 1, 0, { ...SHORT, tone: 0.85 }),
        cap(m.scalp, -0.62, 0.62, traits.part > 0 ? 0.3 : -0.3, { density: 1, clump: 0.6, stray: 1.6 }),
      ],
      ears: true,
    }
  },
}

function measured(traits: Traits, grow: number): Measures {
  return { hairline: traits.hairline, cheek: traits.cheekWidth, part: traits.part / 110, scalp: scalpOf(traits, grow) }
}

export const cutOf = (traits: Traits): Cut => CUTS[traits.cut](traits)
