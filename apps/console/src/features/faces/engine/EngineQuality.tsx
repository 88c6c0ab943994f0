/** The engine's name, how good it is in a sentence and as a curve, where that was measured, and under which licences it stands. */
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { rateOfScore, scoreInWords } from '@gatehouse/contract'
import type { FaceEngineState } from '@gatehouse/contract/faces/calls'
import { Facts } from '../../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { Curves, type Curve } from '../Curves.tsx'
import { falseNonMatchAt, roughly } from '../rates.ts'
import { useRateWords } from '../rateWords.ts'
import styles from '../faces.module.css'

/** Raw score at which one stranger in 1,000 is taken for somebody: where engines are compared. */
const COMPARED_AT = 70

export function EngineQuality({ engine }: { engine: FaceEngineState }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const { kind, name, modelId, dimensions, liveness, measured, source, licences } = engine
  const curve = engine.curve.toSorted((a, b) => a.score - b.score)
  const missed = falseNonMatchAt(curve, COMPARED_AT)
  const sentence =
    missed === null
      ? t('engine.qualityUnknown')
      : t('engine.quality', {
          recognised: number(Math.round(100 * (1 - missed))),
          strangers: number(roughly(1 / rateOfScore(COMPARED_AT))),
        })
  const own = curve.flatMap(({ score, falseNonMatchRate }) => (falseNonMatchRate === null ? [] : [{ at: score, rate: falseNonMatchRate }]))
  const curves: Curve[] = [
    {
      kind: 'stranger',
      name: t('error.stranger'),
      points: curve.map(({ score, falseMatchRate }) => ({ at: score, rate: falseMatchRate })),
    },
  ]
  if (own.length > 0) curves.push({ kind: 'own', name: t('error.own'), points: own })
  return (
    <div className={styles.engine}>
      <section>
        <h2>
          {kind === 'builtin' ? t('engine.builtinName') : name}
          <StatusTag status={kind === 'builtin' ? 'off' : 'ok'}>{t(`engine.${kind}`)}</StatusTag>
        </h2>
        <p className={styles.lead}>{sentence}</p>
        {!measured && <Alert type="warning" showIcon title={t('unmeasured.title')} description={t('unmeasured.words')} />}
        <Facts
          facts={[
            [t(measured ? 'engine.source' : 'engine.guessedFrom'), kind === 'builtin' ? t('engine.builtinSource') : source],
            [t('engine.model'), <code>{modelId}</code>],
            [t('engine.dimensions'), number(dimensions)],
            [t('engine.liveness'), t(liveness ? 'engine.tells' : 'engine.tellsNot')],
          ]}
        />
        <dl className={styles.licences}>
          <dt>{t('engine.licences')}</dt>
          {licences.map(({ part, licence }) => (
            <dd key={part}>
              {part} <b>{licence}</b>
            </dd>
          ))}
        </dl>
      </section>
      {curve.length > 1 && <Curves curves={curves} scale="powers" axis={t('score')} written={scoreInWords} words={sentence} />}
    </div>
  )
}
