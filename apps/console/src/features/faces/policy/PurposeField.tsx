/** The promise for one purpose, each offer with its price: how often registered persons have to look again. */
import { WarningOutlined } from '@ant-design/icons'
import { Form, InputNumber, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import type { FacePolicy } from '@gatehouse/contract/faces/policy'
import type { FacePurpose } from '@gatehouse/contract/faces/precision'
import { PROMISE_BOUNDS } from '@gatehouse/contract/faces/promise'
import { useMayOpen } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { useRateWords } from '../rates.ts'
import { meaningOf, PROMISE_FIELDS, strangersOf, type Meaning, type Purpose } from './policyValues.ts'
import { Setting } from './Setting.tsx'
import styles from './policy.module.css'

/** Share of registered persons who have to look again, above which the page offers help. */
const TOO_MANY = 0.05
/**
 * Persons in a hundred who have to look again, at a door for a hundred persons where at most one stranger in a hundred gets in.
 * Measured with an engine that has models of its own besides the built-in one, and 373 persons that no model was trained with.
 */
const BETTER_ENGINE_ASKS = 2.5

interface PurposeFieldProps {
  purpose: FacePurpose
  policy: FacePolicy
  curve: FaceEngineState['curve']
}

export function PurposeField({ purpose, policy, curve }: PurposeFieldProps) {
  const { t } = useTranslation('faces')
  const stored = policy.purposes.find((other) => other.purpose === purpose)!
  const promise = Form.useWatch<number | null | undefined>(PROMISE_FIELDS[purpose]) ?? stored.promise
  const meaning = meaningOf(stored, curve, promise, policy.curve)
  const title = t(`policy.${purpose}.title`)
  return (
    <Setting title={title} words={t(`policy.${purpose}.words`)}>
      <Form.Item name={PROMISE_FIELDS[purpose]} label={t(`policy.${purpose}.label`)}>
        <PromiseField title={title} stored={stored} />
      </Form.Item>
      <div role="status" aria-label={t('policy.meaning')} className={styles.meaning}>
        <MeaningWords stored={stored} promise={promise} meaning={meaning} />
        {purpose === 'door' && <Help meaning={meaning} policy={policy} />}
      </div>
    </Setting>
  )
}

interface PromiseFieldProps {
  title: string
  stored: Purpose
  /** Given by `<Form.Item>`. */
  value?: number | null
  onChange?: (value: number | null) => void
}

function PromiseField({ title, stored: { purpose, offers, promise }, value = promise, onChange }: PromiseFieldProps) {
  const { t } = useTranslation('faces')
  const { often } = useRateWords()
  const sayPromise = usePromiseWords(purpose)
  const isOffered = offers.some((offer) => offer.promise === value)
  const [isCustom, setCustom] = useState(!isOffered)
  const isOwn = isCustom || !isOffered
  return (
    <>
      <Segmented
        className={styles.promises ?? ''}
        aria-label={title}
        value={isOwn ? 'own' : value}
        options={[
          ...offers.map((offer) => ({
            value: offer.promise as number | string,
            label: (
              <span className={styles.offer}>
                <b>{sayPromise(offer.promise)}</b>
                <small>
                  {offer.falseNonMatchRate === null
                    ? t(`policy.${purpose}.priceUnknown`)
                    : t(`policy.${purpose}.price`, { rate: often(offer.falseNonMatchRate) })}
                </small>
              </span>
            ),
          })),
          {
            value: 'own',
            label: (
              <span className={styles.offer}>
                <b>{t('policy.own')}</b>
                <small>{t('policy.ownWords')}</small>
              </span>
            ),
          },
        ]}
        onChange={(chosen) => {
          setCustom(chosen === 'own')
          if (chosen !== 'own') onChange?.(Number(chosen))
        }}
      />
      {isOwn && (
        <div className={styles.custom}>
          <InputNumber
            aria-label={`${title}: ${t(`policy.${purpose}.label`)}`}
            {...PROMISE_BOUNDS}
            value={value}
            onChange={(next) => onChange?.(next)}
          />{' '}
          {t(`policy.${purpose}.unit`)}
        </div>
      )}
    </>
  )
}

/** Return a function that puts a promise in a few words. */
function usePromiseWords(purpose: FacePurpose): (promise: number) => string {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  return (promise) => {
    if (purpose === 'door') {
      const { strangers, among } = strangersOf(promise)
      return t('policy.door.promise', { strangers: number(strangers), among: number(among) })
    }
    return promise >= 1
      ? t(`policy.${purpose}.promise`, { n: number(promise) })
      : t(`policy.${purpose}.rarer`, { n: number(Math.round(1 / promise)) })
  }
}

/** What a promise means with the present faces, and what it meant before. */
function MeaningWords({ stored, promise, meaning }: { stored: Purpose; promise: number; meaning: Meaning }) {
  const { t } = useTranslation('faces')
  const { number, often } = useRateWords()
  const sayPromise = usePromiseWords(stored.purpose)
  const { purpose, templates, facesPerDay, former } = stored
  const people = { count: templates, n: number(templates), perDay: number(Math.round(facesPerDay ?? 0)) }
  return (
    <>
      <p>{templates === 0 ? t('policy.noFaces') : t(`policy.${purpose}.means`, { ...people, promise: sayPromise(promise) })}</p>
      <p>
        {meaning.falseNonMatchRate === null
          ? t(`policy.${purpose}.priceUnknown`)
          : t(`policy.${purpose}.costs`, { rate: often(meaning.falseNonMatchRate) })}
        {meaning.falseNonMatchRateOfTwo !== null && ` ${t('policy.withTwo', { rate: often(meaning.falseNonMatchRateOfTwo) })}`}
      </p>
      {former && templates > 0 && (
        <p className={styles.former}>
          <b>{t('policy.before')}</b>{' '}
          {t(`policy.${purpose}.former`, {
            n: number(former.mistakes < 10 ? Math.round(10 * former.mistakes) / 10 : Math.round(former.mistakes)),
          })}{' '}
          {former.falseNonMatchRate !== null && t(`policy.${purpose}.costs`, { rate: often(former.falseNonMatchRate) })}
        </p>
      )}
      {!meaning.supported && (
        <p className={styles.advice}>
          <WarningOutlined /> {t('policy.unsupported')}
        </p>
      )}
    </>
  )
}

/** Advice where too many registered persons would have to look again, or the promise was never measured. */
function Help({ meaning, policy: { personsWithFew, photosWanted, modelId } }: { meaning: Meaning; policy: FacePolicy }) {
  const { t } = useTranslation('faces')
  const { number, often } = useRateWords()
  const may = { persons: useMayOpen(screens.staffList), strategies: useMayOpen(screens.passStrategy) }
  const { falseNonMatchRate: missed, falseNonMatchRateOfTwo: withTwo, supported } = meaning
  if (supported && missed !== null && missed <= TOO_MANY) return null
  return (
    <div className={styles.help}>
      <p>
        <WarningOutlined /> {t('policy.help.title')}
      </p>
      <ul>
        <li>
          {t('policy.help.photos', { few: number(personsWithFew) })}{' '}
          {missed !== null && withTwo !== null && t('policy.help.photosFigure', { one: often(missed), two: often(withTwo) })}{' '}
          {may.persons && personsWithFew > 0 && <Link to={`${path('staffList')}?facesBelow=${photosWanted}`}>{t('policy.showThem')}</Link>}
        </li>
        {modelId.startsWith('builtin-') && (
          <li>
            {t('policy.help.engine', { n: number(BETTER_ENGINE_ASKS) })} <Link to={path('faceEngine')}>{t('policy.help.toEngine')}</Link>
          </li>
        )}
        <li>
          {t('policy.help.factor')} {may.strategies && <Link to={path('passStrategy')}>{t('policy.help.toStrategies')}</Link>}
        </li>
      </ul>
    </div>
  )
}
