/**
 * Different persons whose photographs come close, both faces side by side: one registered twice, twins, or a photograph
 * in the wrong place.
 */
import { Button } from 'antd'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { rateOfScore, scoreInWords } from '@gatehouse/contract'
import { faceCalls } from '@gatehouse/contract/faces/calls'
import type { FaceReport } from '@gatehouse/contract/faces/report'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { useMay, useMayCall } from '../../../api/session.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { path } from '../../../paths.ts'
import { roughly, useRateWords } from '../rates.ts'
import styles from '../faces.module.css'

export type Pair = FaceReport['closest'][number]
const FACE = 112

export function ClosePairs({ pairs }: { pairs: Pair[] }) {
  const { t } = useTranslation('faces')
  if (pairs.length === 0) return <p className={styles.words}>{t('pairs.none')}</p>
  return (
    <>
      <p className={styles.words}>{t('pairs.words')}</p>
      <ul className={styles.pairs}>
        {pairs.map((pair) => (
          <ClosePair key={`${pair.first.faceId}/${pair.second.faceId}`} pair={pair}>
            <Remember pair={pair} />
          </ClosePair>
        ))}
      </ul>
    </>
  )
}

/** Both faces, with their score and the actions between them. */
export function ClosePair({ pair: { first, second, score }, children }: { pair: Pair; children: ReactNode }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  return (
    <li>
      <Face of={first} />
      <div>
        <output title={t('common:pair.score')}>{scoreInWords(score)}</output>
        <small>{t('pairs.rate', { n: number(roughly(1 / rateOfScore(score))) })}</small>
        {children}
      </div>
      <Face of={second} />
    </li>
  )
}

function Remember({ pair: { first, second } }: { pair: Pair }) {
  const { t } = useTranslation('faces')
  const mayChange = useMayCall(faceCalls.addPair)
  const [remembered, setRemembered] = useState(false)
  const add = useWrite(faceCalls.addPair, { done: t('pairs.remembered'), onDone: () => setRemembered(true) })
  if (!mayChange) return null
  return (
    <Button
      size="small"
      disabled={remembered}
      loading={add.pending}
      onClick={() => add.run({ body: { personId: first.personId, otherId: second.personId } })}
    >
      {remembered ? t('pairs.isRemembered') : t('pairs.remember')}
    </Button>
  )
}

function Face({ of: { personId, personName, thumbnail } }: { of: Pair['first'] }) {
  const { t } = useTranslation('faces')
  const mayOpen = useMay('person.list')
  const name = personName || t('noName')
  return (
    <figure>
      <Portrait name={name} url={thumbnail} size={FACE} />
      <figcaption title={name}>{mayOpen && personName ? <Link to={path('staffDetails', { id: personId })}>{name}</Link> : name}</figcaption>
    </figure>
  )
}
