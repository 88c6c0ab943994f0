/** A share of trials of which each person contributes several that are not independent. */
import type { MeasuredRate } from '@gatehouse/contract/faces/report'
import { exactInterval, studentQuantile } from './interval.ts'

/**
 * Adds up persons, and says the share of errors with its interval. With Rᵢ = Eᵢ − p·Nᵢ of person i among n its variance is
 * V = n/(n − 1) · Σ Rᵢ² / N² (the ratio estimator of cluster sampling: Cochran, "Sampling Techniques", 6.4), and p(1 − p) / V the number
 * of independent trials that would make it as uncertain. Where no error, or nothing else, was observed V says nothing: the trials count
 * for as few as they can, N² / Σ Nᵢ², which all of a person's being alike would make of them.
 */
export class ClusterSums {
  #persons = 0
  #errors = 0
  #trials = 0
  #squares = 0
  #products = 0
  #sizes = 0

  /** One person; without trials it changes nothing. */
  add(errors: number, trials: number): void {
    if (trials === 0) return
    this.#persons++
    this.#errors += errors
    this.#trials += trials
    this.#squares += errors ** 2
    this.#products += errors * trials
    this.#sizes += trials ** 2
  }

  /** Without trials nothing is known: 0, somewhere from 0 to 1. */
  rate(): MeasuredRate {
    const persons = this.#persons
    const rate = this.#errors / this.#trials
    if (this.#errors === 0 || this.#errors === this.#trials || persons < 2) return exactInterval(rate, this.#trials ** 2 / this.#sizes)
    const spread = this.#squares - 2 * rate * this.#products + rate ** 2 * this.#sizes
    const variance = ((persons / (persons - 1)) * spread) / this.#trials ** 2
    return exactInterval(rate, effectiveTrials(rate, variance, this.#trials), studentQuantile(persons - 1))
  }
}

/** Independent trials that would make a share as uncertain; never more than there were. */
export const effectiveTrials = (rate: number, variance: number, trials: number): number =>
  variance > 0 ? Math.min(trials, (rate * (1 - rate)) / variance) : trials

/** The share of trials that count, with its interval by persons. */
export function rateByPersons<Trial extends { person: number }>(trials: readonly Trial[], counts: (trial: Trial) => boolean): MeasuredRate {
  const persons = new Map<number, { errors: number; trials: number }>()
  for (const trial of trials) {
    const of = persons.get(trial.person) ?? { errors: 0, trials: 0 }
    persons.set(trial.person, { errors: of.errors + Number(counts(trial)), trials: of.trials + 1 })
  }
  const sums = new ClusterSums()
  for (const of of persons.values()) sums.add(of.errors, of.trials)
  return sums.rate()
}
