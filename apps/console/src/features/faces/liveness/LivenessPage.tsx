/** /faceLiveness: how well the park's own captures separate living faces from pictures held up, and from which score. */
import { Button, Segmented } from 'antd'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { faceLivenessCalls, type LivenessState } from '@gatehouse/contract/faces/liveness'
import { facePolicyCalls } from '@gatehouse/contract/faces/policy'
import { DetailPage, Section } from '../../../kit/detail/DetailPage.tsx'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { useRead } from '../../../api/query.ts'
import { useMay } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { request } from '../../../api/request.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { Curve } from '../curve.ts'
import { Curves } from '../Curves.tsx'
import { FacesScreen, Figures } from '../FacesScreen.tsx'
import { livenessInWords, useRateWords } from '../rates.ts'
import { policyValuesOf } from '../policy/policyValues.ts'
import { CaptureList, CaptureUpload } from './captures.tsx'
import { TrialGrid } from './TrialGrid.tsx'
import styles from '../faces.module.css'
import own from './liveness.module.css'

export default function LivenessPage() {
  const { t } = useTranslation('faces')
  const liveness = useRead(faceLivenessCalls.read, {})
  const maySeeRecords = useMay('access.record')
  const [view, setView] = useCaptureView(maySeeRecords)
  return (
    <FacesScreen tab="faceLiveness">
      <DetailPage query={liveness}>
        {(state) =>
          state.available ? (
            <>
              <Overview state={state} />
              <Section title={t('capture.title')}>
                <p className={styles.words}>{t('capture.words')}</p>
                <CaptureUpload />
              </Section>
              <Section
                title={t(`capture.views.${view}`)}
                extra={
                  maySeeRecords && (
                    <Segmented
                      aria-label={t('capture.view')}
                      value={view}
                      onChange={setView}
                      options={(['trial', 'captures'] as const).map((value) => ({ value, label: t(`capture.views.${value}`) }))}
                    />
                  )
                }
              >
                {view === 'trial' ? <TrialGrid mode={state.mode} /> : <CaptureList />}
              </Section>
            </>
          ) : (
            <Unable />
          )
        }
      </DetailPage>
    </FacesScreen>
  )
}

function Unable() {
  const { t } = useTranslation('faces')
  return (
    <div className={styles.nothing}>
      <p>
        <b>{t('liveness.cannot')}</b>
      </p>
      <p>{t('liveness.cannotWords')}</p>
      <Link to={path('faceEngine')}>{t('liveness.toEngine')}</Link>
    </div>
  )
}

const STATUS_OF = { off: 'off', trial: 'wait', on: 'ok' } as const

function Overview({ state: { mode, threshold, genuine, spoof, curve, suggestion, wanted } }: { state: LivenessState }) {
  const { t } = useTranslation('faces')
  const { number, often, between } = useRateWords()
  const written = (score: number): string => livenessInWords(score)
  const use = useThreshold()
  const curves: Curve[] = [
    {
      kind: 'stranger',
      name: t('liveness.spoofAccepted'),
      points: curve.map((point) => ({ at: point.threshold, ...point.spoofAccepted })),
    },
    { kind: 'own', name: t('liveness.genuineRefused'), points: curve.map((point) => ({ at: point.threshold, ...point.genuineRefused })) },
  ]
  const sentence = suggestion
    ? t('liveness.suggestion', {
        threshold: written(suggestion.threshold),
        genuine: often(suggestion.genuineRefused.rate),
        spoof: often(suggestion.spoofAccepted.rate),
      })
    : t('liveness.noSuggestion', { genuine: number(Math.max(0, wanted - genuine)), spoof: number(Math.max(0, wanted - spoof)) })
  return (
    <div className={styles.overall}>
      <section>
        <p className={own.mode}>
          <StatusTag status={STATUS_OF[mode]}>{t(`liveness.modes.${mode}`)}</StatusTag> {t(`liveness.means.${mode}`)}{' '}
          <Link to={path('facePolicy')}>{t('liveness.change')}</Link>
        </p>
        <Figures
          figures={[
            {
              key: 'genuine',
              value: t('liveness.ofWanted', { n: number(genuine), wanted: number(wanted) }),
              words: t('liveness.genuine'),
              wanting: genuine < wanted,
            },
            {
              key: 'spoof',
              value: t('liveness.ofWanted', { n: number(spoof), wanted: number(wanted) }),
              words: t('liveness.spoof'),
              wanting: spoof < wanted,
            },
            { key: 'threshold', value: threshold === null ? '—' : written(threshold), words: t('liveness.threshold') },
          ]}
        />
        <div className={own.suggestion}>
          <p>{sentence}</p>
          {suggestion && (
            <>
              <small>
                {t('liveness.suggestionBounds', {
                  genuine: between(suggestion.genuineRefused, 'often'),
                  spoof: between(suggestion.spoofAccepted, 'often'),
                })}
              </small>
              <Button
                type="primary"
                disabled={suggestion.threshold === threshold}
                loading={use.pending}
                onClick={() => use.threshold(suggestion.threshold)}
              >
                {t('liveness.use')}
              </Button>
            </>
          )}
        </div>
      </section>
      {curve.length > 1 && (
        <Curves
          curves={curves}
          scale="even"
          axis={t('liveness.threshold')}
          written={written}
          mark={
            suggestion
              ? { at: suggestion.threshold, words: t('liveness.suggested', { threshold: written(suggestion.threshold) }) }
              : undefined
          }
          words={sentence}
        />
      )}
    </div>
  )
}

type View = 'trial' | 'captures'

/** Return the list that is shown. It is kept in the address beside the filters, which a change of the list resets. */
function useCaptureView(maySeeRecords: boolean): [View, (view: View) => void] {
  const [search, setSearch] = useSearchParams()
  const inAddress: View = search.get('view') === 'captures' || !maySeeRecords ? 'captures' : 'trial'
  const [view, setView] = useState(inAddress)
  useEffect(() => {
    if (view === inAddress) return
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (view === 'captures') next.set('view', view)
        else next.delete('view')
        return next
      },
      { replace: true },
    )
  }, [view, inAddress, setSearch])
  return [
    view,
    (next) => {
      setView(next)
      setSearch(new URLSearchParams(next === 'captures' ? { view: next } : undefined), { replace: true })
    },
  ]
}

/** Return a function that sets the threshold of the policy and leaves everything else there unchanged. */
function useThreshold(): { threshold: (value: number) => void; pending: boolean } {
  const { t } = useTranslation('faces')
  const change = useWrite(facePolicyCalls.change, { done: t('liveness.used') })
  const threshold = async (value: number): Promise<void> => {
    const values = policyValuesOf(await request(facePolicyCalls.read, {}))
    change.run({ body: { ...values, liveness: { ...values.liveness, threshold: value } } })
  }
  // A refusal has been shown already.
  return { threshold: (value) => void threshold(value).catch(() => undefined), pending: change.pending }
}
