/** /faceEngine: which face engine runs, how good it is, and how far the photographs are with its model. */
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { faceCalls, type FaceEngineState } from '@gatehouse/contract/faces/calls'
import { DetailPage, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { FacesScreen } from '../FacesScreen.tsx'
import { Figures } from '../Figures.tsx'
import { useRateWords } from '../rateWords.ts'
import { isUnderWay, useWorkWatch } from '../useWorkWatch.ts'
import { WorkProgress } from '../WorkProgress.tsx'
import { BetterEngine } from './BetterEngine.tsx'
import { EngineQuality } from './EngineQuality.tsx'
import { RefusedPhotos } from './RefusedPhotos.tsx'
import styles from '../faces.module.css'

export default function EnginePage() {
  const engine = useRead(faceCalls.engine, {})
  useWorkWatch(isUnderWay(engine.data?.work), faceCalls.engine)
  return (
    <FacesScreen tab="faceEngine">
      <DetailPage query={engine}>
        {(state) => (
          <>
            <EngineQuality engine={state} />
            <Templates engine={state} />
            {state.kind === 'builtin' && <BetterEngine />}
            {state.refused > 0 && <RefusedPhotos />}
          </>
        )}
      </DetailPage>
    </FacesScreen>
  )
}

/** How many photographs the model knows, and what became of the others. */
function Templates({ engine: { photos, current, refused, models, modelId, work } }: { engine: FaceEngineState }) {
  const { t } = useTranslation('faces')
  const { number } = useRateWords()
  const make = useWrite(faceCalls.embedAgain)
  const cancel = useWrite(faceCalls.cancelEmbedding)
  const missing = Math.max(0, photos - current - refused)
  const busy = isUnderWay(work)
  const others = models.filter((model) => model.modelId !== modelId)
  return (
    <Section
      title={t('templates.title')}
      extra={
        !busy && (
          <Button loading={make.pending} disabled={missing + refused === 0} onClick={() => make.run({ body: {} })}>
            {t('templates.make')}
          </Button>
        )
      }
    >
      <p className={styles.words}>{t('templates.words')}</p>
      <Figures
        figures={[
          { key: 'photos', value: number(photos), words: t('templates.photos') },
          { key: 'current', value: number(current), words: t('templates.current') },
          { key: 'missing', value: number(missing), words: t('templates.missing'), wanting: missing > 0 && !busy },
          { key: 'refused', value: number(refused), words: t('templates.refused'), wanting: refused > 0 },
        ]}
      />
      {work && (busy || work.state === 'failed') && (
        <WorkProgress work={work} title={t('templates.working')} cancel={() => cancel.run({ body: {} })} cancelling={cancel.pending} />
      )}
      {others.length > 0 && (
        <div className={styles.kept}>
          <h3>{t('templates.others')}</h3>
          <p>{t('templates.othersWords')}</p>
          <ul>
            {others.map((model) => (
              <li key={model.modelId}>
                <code>{model.modelId}</code> {t('templates.ofModel', { count: model.photos, n: number(model.photos) })}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Section>
  )
}
