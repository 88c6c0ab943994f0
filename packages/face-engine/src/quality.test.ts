import { describe, expect, test } from 'vitest'
import type { Face, PhotoAnalysis } from './face.ts'
import { DEFAULT_QUALITY, acceptedFace, assertSamePerson } from './quality.ts'
import { PhotoRefusal } from './refusal.ts'

const point = { x: 0, y: 0 }
const good: Face = {
  box: { x: 150, y: 100, width: 200, height: 240 },
  landmarks: [point, point, point, point, point],
  roll: 2,
  yaw: -5,
  pitch: 4,
  sharpness: 30,
  brightness: 130,
  lowerFace: 1,
  score: 0.95,
  embedding: new Float32Array(128).fill(0.1),
  modelId: 'm',
}
const photo = (...faces: Partial<Face>[]): PhotoAnalysis => ({
  width: 1000,
  height: 600,
  faces: faces.map((face) => ({ ...good, ...face })),
  timings: { decode: 0, detect: 0, align: 0, embed: 0, liveness: 0, total: 0 },
})
const at = (x: number, y: number, width = 200, height = 240) => ({ box: { x, y, width, height } })

function refusalOf(work: () => unknown): PhotoRefusal {
  try {
    work()
  } catch (error) {
    if (error instanceof PhotoRefusal) return error
    throw error
  }
  throw new Error('the photograph was accepted')
}

test('a good face is accepted as it is', () => {
  expect(acceptedFace(photo({}))).toEqual(good)
})

describe('one thing wrong', () => {
  test.each<[string, Partial<Face>, number, object]>([
    ['small', at(150, 100, 59, 80), 201219, { side: 59, limit: DEFAULT_QUALITY.faceSide }],
    ['dark', { brightness: 20 }, 200219, { brightness: 20, limit: DEFAULT_QUALITY.darkest }],
    ['glaring', { brightness: 240 }, 200219, { brightness: 240, limit: DEFAULT_QUALITY.brightest }],
    ['blurred', { sharpness: 1 }, 201222, { sharpness: 1, limit: DEFAULT_QUALITY.sharpness }],
    ['upside down', { roll: 178 }, 200219, { roll: 178, limit: DEFAULT_QUALITY.roll }],
    ['turned right', { yaw: 55 }, 201221, { yaw: 55, limit: DEFAULT_QUALITY.yaw }],
    ['turned left', { yaw: -55 }, 201221, { yaw: -55, limit: DEFAULT_QUALITY.yaw }],
    ['looking up', { pitch: 50 }, 201220, { pitch: 50, limit: DEFAULT_QUALITY.pitch }],
    ['looking down', { pitch: -50 }, 201220, { pitch: -50, limit: DEFAULT_QUALITY.pitch }],
    ['cut off', at(-50, 100), 201223, { inside: 0.75, limit: DEFAULT_QUALITY.inside }],
    ['mouth covered', { lowerFace: 0.1 }, 200219, { lowerFace: 0.1, limit: DEFAULT_QUALITY.lowerFace }],
    ['without an embedding', { embedding: null }, 200201, {}],
    ['with a broken embedding', { embedding: new Float32Array(128).fill(NaN) }, 200201, {}],
  ])('%s', (_, face, code, measured) => {
    const refusal = refusalOf(() => acceptedFace(photo(face)))
    expect(refusal.code).toBe(code)
    expect(refusal.measured).toEqual(measured)
  })
})

describe('several things wrong', () => {
  test('size and light are named before sharpness, which falls with both', () => {
    expect(refusalOf(() => acceptedFace(photo({ ...at(150, 100, 40, 50), sharpness: 0 }))).reason).toBe('faceTooSmall')
    expect(refusalOf(() => acceptedFace(photo({ brightness: 10, sharpness: 0 }))).reason).toBe('unclear')
  })

  test('sharpness is named before angles, which a blurred face does not have', () => {
    expect(refusalOf(() => acceptedFace(photo({ sharpness: 0, yaw: 80 }))).reason).toBe('blur')
  })

  test('what is wrong with the face is named before a missing embedding', () => {
    expect(refusalOf(() => acceptedFace(photo({ yaw: 80, embedding: null }))).reason).toBe('turn')
  })
})

describe('number of faces', () => {
  test('none', () => {
    expect(refusalOf(() => acceptedFace(photo())).code).toBe(200204)
  })

  test('two persons: refused with both boxes, accepted once one is chosen', () => {
    const two = photo({}, at(600, 120, 190, 220))
    const refusal = refusalOf(() => acceptedFace(two))
    expect(refusal.code).toBe(200218)
    expect(refusal.faces).toEqual(two.faces.map(({ box }) => box))
    expect(acceptedFace(two, { faceIndex: 1 }).box.x).toBe(600)
    expect(refusalOf(() => acceptedFace(two, { faceIndex: 2 })).code).toBe(200204)
  })

  test('the chosen face is judged like any other', () => {
    expect(refusalOf(() => acceptedFace(photo({}, { ...at(600, 120), yaw: 70 }), { faceIndex: 1 })).code).toBe(201221)
  })

  test.each<[string, Partial<Face>]>([
    ['much smaller', at(600, 120, 100, 120)],
    ['uncertain', { ...at(600, 120), score: 0.5 }],
    ['out of focus', { ...at(600, 120), sharpness: 1 }],
    ['turned away', { ...at(600, 120), yaw: 60 }],
    ['cut off by the edge', at(900, 120)],
  ])('a bystander who is %s does not count', (_, bystander) => {
    expect(acceptedFace(photo({}, bystander)).box).toEqual(good.box)
  })
})

test('settings replace the thresholds', () => {
  const strict = { ...DEFAULT_QUALITY, yaw: 3 }
  expect(refusalOf(() => acceptedFace(photo({}), { settings: strict })).reason).toBe('turn')
})

describe('the same person', () => {
  const template = (value: number) => ({ modelId: 'm', embedding: new Float32Array([value, 0]) })

  test('one near photograph is enough', () => {
    expect(() => assertSamePerson(template(0), [template(2), template(0.3)], 0.6)).not.toThrow()
    expect(() => assertSamePerson(template(0), [], 0.6)).not.toThrow()
  })

  test('somebody else is refused with the distance, and with what was asked', () => {
    const refusal = refusalOf(() => assertSamePerson(template(0), [template(2), template(0.9)], 0.6))
    expect(refusal.code).toBe(200203)
    expect(refusal.measured).toEqual({ distance: 0.9, limit: 0.6 })
    expect(() => assertSamePerson(template(0), [template(0.9)], 1.1)).not.toThrow()
  })
})
