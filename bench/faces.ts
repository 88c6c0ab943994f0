/**
 * Measures how well people are recognised, by each engine and with one enrolled photo and two, and the time and memory per photo. Uses the
 * real photos beside the project; without them drawn portraits, whose results do not apply to real faces.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import type { MeasuredRate } from '@gatehouse/contract/faces/report'
import { scoreOfRate } from '@gatehouse/contract/score'
import { openPhotographs } from '@gatehouse/dev-env/photographs'
import { scoreKept } from '@gatehouse/contract/faces/promise'
import { descriptionOf, distanceOfScore, engineOf, joins, leadOf, ofMean, recommendedScore, scoreOf } from '@gatehouse/face-engine'
import type { Calibration, EngineChoice } from '@gatehouse/face-engine'
import { leadEffect, searchFigures, verificationFigures } from '@gatehouse/face-engine/measure/identification'
import type { SearchFigures, VerificationFigures } from '@gatehouse/face-engine/measure/identification'
import { refusedOf, strangersAccepted } from '@gatehouse/face-engine/measure/long-list'
import { hasTestingModels, testingModelDir } from '@gatehouse/face-engine/onnx/testing/set'
import { curvesOf, endsOf } from '@gatehouse/server/contexts/faces/curves-in-force'
import { measureOwn } from '@gatehouse/server/contexts/faces/own-curve-pairs'
import type { OwnCurve } from '@gatehouse/contract/faces/own-curve'
import { everyPair, everyTwoAndOne, meanOf, nearestOf, searches } from './faces-comparisons.ts'
import type { EngineRun } from './faces-engine.ts'
import type { BenchResult } from './result.ts'

const FALSE_ACCEPT_RATES = [1e-2, 1e-3]
const FALSE_POSITIVE_RATE = 0.003
/** Wrongly admitted strangers of a thousand who try a door. */
const PROMISED = 10
/** The fixed threshold of every door before there were promises. */
const FIXED_BEFORE = 5e-4
const MARGINS = [0, 3, 5, 10]
/** A campus of 10,000 with two photos each. */
const LONG_LIST = 20_000

interface Measured {
  engine: string
  calibration: Calibration
  run: EngineRun
  ways: { way: string; verification: VerificationFigures; search: SearchFigures }[]
}

export async function run(): Promise<BenchResult[]> {
  const { kind } = openPhotographs()
  if (kind === 'drawn')
    process.stderr.write('There are no real photographs beside the project: drawn portraits instead, which say nothing of real faces.\n')
  if (!hasTestingModels) process.stderr.write('There are no ONNX models beside the project: the built-in engine only.\n')
  const builtin = await measured('A', { kind: 'builtin' }, undefined)
  const folder = hasTestingModels ? testingModelDir() : null
  try {
    const onnx = folder === null ? null : await measured('B', await engineOf(folder), folder)
    const results = [...figuresOf(builtin, null), ...(onnx ? figuresOf(onnx, builtin) : [])]
    return kind === 'real' ? results : results.map((result) => ({ ...result, name: `drawn portraits: ${result.name}` }))
  } finally {
    if (folder !== null) await rm(folder, { recursive: true })
  }
}

async function measured(engine: string, choice: EngineChoice, folder: string | undefined): Promise<Measured> {
  const one = await analysed(folder)
  const photographs = one.accepted
  const way = (name: string, pairs: ReturnType<typeof everyPair>, enrolments: number, comparing: typeof nearestOf) => ({
    way: name,
    verification: verificationFigures(pairs, { falseAcceptRates: FALSE_ACCEPT_RATES }),
    search: searchFigures(searches(photographs, enrolments, comparing), { falsePositiveRate: FALSE_POSITIVE_RATE }),
  })
  return {
    engine,
    calibration: descriptionOf(choice).calibration,
    run: one,
    ways: [
      way('one photograph', everyPair(photographs), 1, nearestOf),
      way('two, the nearest', everyTwoAndOne(photographs, nearestOf), 2, nearestOf),
      way('two, their mean', everyTwoAndOne(photographs, meanOf), 2, meanOf),
    ],
  }
}

async function analysed(folder: string | undefined): Promise<EngineRun> {
  const child = fork(new URL('./faces-engine.ts', import.meta.url), folder === undefined ? [] : [folder])
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the engine's process ended with ${String(code)} before it told what it measured`)
  })
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [EngineRun]
  ended.catch(() => undefined)
  return answer
}

function figuresOf(of: Measured, peer: Measured | null): BenchResult[] {
  return [...recognition(of, peer), ...promises(of), ...margins(of), ...costs(of)]
}

/** Return per cent, with the interval, compared with the same figure of the other engine by the error rates. */
function recognition({ engine, run: { photographs, accepted }, ways }: Measured, peer: Measured | null): BenchResult[] {
  const keepsUp = (rate: number, peersRate: number | undefined) =>
    peersRate === undefined || peersRate === 0 ? {} : { ratioTo: 'errors of A', ratio: rate / peersRate, goal: 1 }
  return [
    { name: `${engine}: photographs refused, of ${photographs}`, ...perCent((photographs - accepted.length) / photographs), goal: 2 },
    ...ways.flatMap(({ way, verification, search }, at): BenchResult[] => {
      const peers = peer?.ways[at]
      const name = (figure: string) => `${engine}, ${way}: ${figure}`
      return [
        {
          name: name('EER'),
          ...share(verification.equalErrorRate),
          ...keepsUp(verification.equalErrorRate.rate, peers?.verification.equalErrorRate.rate),
        },
        ...verification.trueAccepts.map(({ falseAcceptRate, accepted: recognised }, point) => {
          const peersRecognised = peers?.verification.trueAccepts[point]?.accepted
          return {
            name: name(`TAR at FAR ${falseAcceptRate.toExponential(0)}`),
            ...share(recognised),
            ...keepsUp(1 - recognised.rate, peersRecognised && 1 - peersRecognised.rate),
          }
        }),
        {
          name: name(`FNIR at FPIR ${FALSE_POSITIVE_RATE}`),
          ...share(search.missed),
          ...keepsUp(search.missed.rate, peers?.search.missed.rate),
        },
        { name: name('rank-1'), ...share(search.rankOne), ...keepsUp(1 - search.rankOne.rate, peers && 1 - peers.search.rankOne.rate) },
      ]
    }),
  ]
}

/**
 * Simulate a door of these people that promises at most ten strangers in a thousand, each person in turn being a stranger to all others,
 * beside a fixed rate of false matches whatever the number of people. Sisters are among them, and many people of the same descent: they are
 * mistaken for each other more often than the average.
 */
function promises({ engine, calibration, run: { accepted } }: Measured): BenchResult[] {
  const people = new Set(accepted.map(({ person }) => person)).size
  const request = {
    [`promise of ${PROMISED} in 1,000`]: scoreKept('door', PROMISED, { templates: people - 1 }, calibration.recommended.door),
    'fixed, 1 in 2,000 comparisons': scoreOfRate(FIXED_BEFORE),
  }
  const ways = [
    { way: 'one photograph', enrolled: 1, comparing: nearestOf },
    { way: 'two, their mean', enrolled: 2, comparing: meanOf },
  ].filter(({ enrolled }) => joins(calibration, enrolled))
  return ways.flatMap(({ way, enrolled, comparing }) => {
    const probes = searches(accepted, enrolled, comparing)
    const own = ownCurveOf(accepted, enrolled, calibration)
    const withOwn = scoreKept('door', PROMISED, { templates: people - 1 }, calibration.recommended.door, own)
    return Object.entries({ ...request, [`promise of ${PROMISED} in 1,000 by their own curve as well`]: withOwn }).flatMap(
      ([setting, score]): BenchResult[] => {
        const within = distanceOfScore(ofMean(calibration, enrolled), score)
        const effect = leadEffect(probes, (best) => best <= within)
        const name = (figure: string) => `${engine}, door of ${people - 1}, ${way}, ${setting}: ${figure}`
        return [
          { name: name('refused'), ...share(effect.refused) },
          { name: name('taken for another'), ...share(effect.mistaken) },
          { name: name('strangers let in'), ...share(effect.strangersAccepted) },
        ]
      },
    )
  })
}

/**
 * Return the curve that a park of these people would measure, with `enrolled` photos of each, after an administrator has confirmed that
 * look-alikes are two persons. Strangers are among those measured, in turns one of all.
 */
function ownCurveOf(accepted: EngineRun['accepted'], enrolled: number, calibration: Calibration): OwnCurve | null {
  const persons = [...Map.groupBy(accepted, ({ person }) => person).values()].map((photos) => photos.slice(0, enrolled))
  const photos = persons.flat()
  const dimensions = photos[0]!.embedding.length
  const embeddings = new Float32Array(photos.length * dimensions)
  photos.forEach(({ embedding }, at) => embeddings.set(embedding, at * dimensions))
  const starts = Uint32Array.from(persons.reduce<number[]>((all, own) => [...all, all.at(-1)! + own.length], [0]))
  const measure = (pairs: [number, number][]) =>
    measureOwn({ gallery: { dimensions, embeddings, starts }, calibration, left: [], answeredPairs: pairs, audiences: [] }, () => {})
  const { fit } = measure(measure([]).doubtful.map(({ first, second }) => [first, second]))
  return curvesOf('', { fit, audiences: [] }, [], endsOf(calibration.recommended.door)).curve
}

/** Return the effect of requiring a lead of the best person, at the door's recommended threshold, with one enrolled photo. */
function margins({ engine, calibration, run: { accepted } }: Measured): BenchResult[] {
  const score = recommendedScore(calibration, 'door')
  const probes = searches(accepted, 1, nearestOf)
  const mates = probes.map(({ mate }) => mate)
  const lead = (best: number, second: number) => leadOf(calibration, best, second)
  return MARGINS.flatMap((margin) => {
    const list = { calibration, photographs: LONG_LIST, score, margin }
    const calculated = `calculated for ${LONG_LIST.toLocaleString('en')} photographs`
    const name = (figure: string) => `${engine}, door at ${score.toFixed(1)}, lead of ${margin}: ${figure}`
    const effect = leadEffect(probes, (best, second) => scoreOf(calibration, best) >= score && lead(best, second) >= margin)
    return [
      { name: name('refused'), ...share(effect.refused) },
      { name: name('taken for another'), ...share(effect.mistaken) },
      { name: name('strangers let in'), ...share(effect.strangersAccepted) },
      { name: name(`refused, ${calculated}`), ...perCent(refusedOf(list, mates, lead)) },
      { name: name(`strangers let in, ${calculated}`), ...perCent(strangersAccepted(list)) },
    ]
  })
}

/** Two workers should be 1.6 times as fast as one: 0.625 of its time. */
function costs({ engine, run: { stages, outside, oneWorker, twoWorkers, firstWorker, secondWorker } }: Measured): BenchResult[] {
  const sum = Object.values(stages).reduce((total, milliseconds) => total + milliseconds, 0)
  return [
    {
      name: `${engine}: photograph to embedding, through the pool`,
      value: outside,
      unit: 'ms',
      ratioTo: 'sum of its stages',
      ratio: outside / sum,
      goal: 1.1,
    },
    ...Object.entries(stages)
      .filter(([, milliseconds]) => milliseconds > 0)
      .map(([stage, milliseconds]) => ({
        name: `${engine}: stage: ${stage}`,
        value: milliseconds,
        unit: 'ms',
        ratioTo: 'sum of all stages',
        ratio: milliseconds / sum,
      })),
    {
      name: `${engine}: a photograph of many, two workers`,
      value: twoWorkers,
      unit: 'ms',
      ratioTo: 'one worker',
      ratio: twoWorkers / oneWorker,
      goal: 0.625,
    },
    { name: `${engine}: memory of the first worker`, value: firstWorker, unit: 'MB', goal: 350 },
    { name: `${engine}: memory of the second worker`, value: secondWorker, unit: 'MB', goal: 350 },
  ]
}

const share = ({ rate, low, high }: MeasuredRate) => ({ value: 100 * rate, interval: [100 * low, 100 * high] as const, unit: '%' })
const perCent = (rate: number) => ({ value: 100 * rate, unit: '%' })
