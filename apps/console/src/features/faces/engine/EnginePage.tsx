/** /faceEngine: the running face engine, its measured quality, and the photographs processed by its model. */
import { Alert, Button, Typography } from 'antd'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import { faceCalls, type FaceEngineState } from '@gatehouse/contract/faces/calls'
import { rateOfScore, scoreInWords } from '@gatehouse/contract'
import { DetailPage, Facts, Section } from '../../../kit/detail/DetailPage.tsx'
import { useRead } from '../../../api/query.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { StatusTag } from '../../../kit/detail/EnumTag.tsx'
import { columnsOf } from '../../../kit/list/columns.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { Portrait } from '../../../kit/media/Portrait.tsx'
import { useMay } from '../../../api/session.ts'
import { path } from '../../../paths.ts'
import { FacesScreen, Figures } from '../FacesScreen.tsx'
import { falseNonMatchAt, roughly, useRateWords } from '../rates.ts'
import { isUnderWay, useWorkWatch } from '../useWorkWatch.ts'
import { WorkProgress } from '../WorkProgress.tsx'
import type { Curve } from '../curve.ts'
import { Curves } from '../Curves.tsx'
import { useKeyedList } from '../useKeyedList.ts'
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

/** The number of photographs the model has processed, and the outcome of the others. */
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

const FETCH = 'npm run models'
const CHOOSE = 'MODEL_DIR=models npm run serve'

/** How to get an engine that suits thousands of persons. */
function BetterEngine() {
  const { t } = useTranslation('faces')
  return (
    <Section title={t('better.title')}>
      <p className={styles.words}>{t('better.words')}</p>
      <ol className={styles.steps}>
        <li>
          <span>{t('better.fetch')}</span>
          <Command>{FETCH}</Command>
        </li>
        <li>
          <span>{t('better.choose')}</span>
          <Command>{CHOOSE}</Command>
        </li>
        <li>
          <span>{t('better.after')}</span>
        </li>
      </ol>
    </Section>
  )
}

function Command({ children }: { children: string }) {
  const { t } = useTranslation('faces')
  return (
    <span className={styles.command}>
      <code>{children}</code>
      <Typography.Text copyable={{ text: children, tooltips: [t('better.copy', { command: children }), t('better.copied')] }} />
    </span>
  )
}

/** Raw score at which one stranger in 1,000 is taken for a person: engines are compared there. */
const COMPARED_AT = 70

/** The engine: its name, its quality in a sentence and as a curve, where that was measured, and its licences. */
function EngineQuality({ engine }: { engine: FaceEngineState }) {
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

/** Photographs that the running engine could not process, each with the reason and the person who needs another one. */
function RefusedPhotos() {
  const { t } = useTranslation('faces')
  const navigate = useNavigate()
  const mayOpen = useMay('person.list')
  const list = useKeyedList(faceCalls.refusedPhotos, 'faceId', { name: 'refusedPhotos' })
  type Row = (typeof list.rows)[number]
  const open = ({ personId }: Row): void => void navigate(path('staffDetails', { id: personId }))
  const columns = columnsOf<Row>([
    {
      field: 'thumbnail',
      title: t('refused.photo'),
      width: 72,
      visibility: 'always',
      render: ({ thumbnail, personName, contactName }) => (
        <span className={styles.face}>
          <Portrait name={contactName ?? personName} url={thumbnail} size={40} />
        </span>
      ),
    },
    {
      field: 'personName',
      title: t('person'),
      width: 180,
      visibility: 'always',
      render: ({ personId, personName, contactName }) => (
        <>
          {mayOpen && personName ? (
            <Link to={path('staffDetails', { id: personId })} tabIndex={-1}>
              {personName}
            </Link>
          ) : (
            personName
          )}
          {contactName && <small> · {t('refused.contact', { name: contactName })}</small>}
        </>
      ),
    },
    {
      field: 'code',
      title: t('refused.reason'),
      width: 420,
      visibility: 'always',
      render: ({ code }) => <span className={styles.wrapped}>{t(`errors:business.${code}`, { defaultValue: String(code) })}</span>,
    },
  ])
  return (
    <Section title={t('refused.title')} extra={<ListTools list={list} columns={columns} />}>
      <p className={styles.words}>{t('refused.words')}</p>
      <ListTable list={list} columns={columns} empty={{ title: t('refused.none') }} {...(mayOpen && { onOpen: open })} />
    </Section>
  )
}
