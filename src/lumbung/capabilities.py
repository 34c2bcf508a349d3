"""Outside capabilities as the settings name them: models, translators and search behind the guard, and the archive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lumbung.archive.object_store import ObjectStore
from lumbung.archive.objects import WarcObjects
from lumbung.archive.pictures import PictureFolder, PictureObjects
from lumbung.archive.threaded import ThreadedArchive
from lumbung.archive.warc import WarcFolder
from lumbung.config import Settings
from lumbung.model.profile import Profile
from lumbung.outside import bucket_of, endpoints_of
from lumbung.ports.archive import Archive
from lumbung.ports.pictures import PictureShelf
from lumbung.providers.inference.gateway import GuardedInference
from lumbung.providers.json_service import JsonService
from lumbung.providers.lane import Lane
from lumbung.providers.search import GuardedSearch
from lumbung.providers.translation import GuardedTranslation, ModelTranslator, ServiceTranslator, Translator
from lumbung.runtime.failpoints import passage
from lumbung.sections import is_hosted
from lumbung.store import governed
from lumbung.store.breakers import SharedBreakers
from lumbung.store.database import Database
from lumbung.store.inference_cache import SharedAnswers
from lumbung.store.ledger import SharedLedger
from lumbung.text.region import Gazetteer

if TYPE_CHECKING:
    from lumbung.stages.extract.llm import LlmExtractor
    from lumbung.stages.extract.translated import TranslatedReader

QUESTIONS_AT_FIRST = 4
"""So that a lone batch of questions need not wait until arrivals are measured."""


@dataclass(frozen=True)
class Capabilities:
    settings: Settings
    machine: Database

    def inference(self) -> GuardedInference | None:
        """None without a configured model: then the lexical engine and people do the work."""
        endpoints = list(endpoints_of(self.settings))
        if not endpoints:
            return None
        at_once = self.settings.llm.pages_at_once
        guarded = GuardedInference(
            endpoints,
            SharedLedger(self.machine, passage),
            SharedBreakers(self.machine),
            SharedAnswers(self.machine),
            self._sensitive_to_hosted,
            lanes={"decide": Lane(at_once, min(QUESTIONS_AT_FIRST, at_once))},
        )
        guarded.require_prices()
        return guarded

    def translation(self, inference: GuardedInference | None) -> GuardedTranslation | None:
        """The service that the settings name, then the model; None without either."""
        translators: list[Translator] = []
        named = self.settings.translation
        if named.base_url:
            translators.append(
                ServiceTranslator(
                    JsonService(named.base_url),
                    SharedLedger(self.machine, passage),
                    SharedAnswers(self.machine),
                    named.api_key,
                    is_hosted(named),
                    named.micros_per_million_characters,
                )
            )
        if inference is not None:
            translators.append(ModelTranslator(inference))
        if not translators:
            return None
        breaker, lane = SharedBreakers(self.machine), Lane(named.requests_at_once)
        return GuardedTranslation(translators, breaker, self._sensitive_to_hosted, lane)

    def search(self) -> GuardedSearch | None:
        url, key = self.settings.search.url, self.settings.search.api_key
        return GuardedSearch(JsonService(url, bearer=key), SharedBreakers(self.machine)) if url else None

    def extractor(
        self, inference: GuardedInference | None, profile: Profile, gazetteer: Gazetteer
    ) -> LlmExtractor | TranslatedReader | None:
        """Who reads pages beside or instead of the lexical engine."""
        if inference is not None and self.settings.llm.extracts:
            from lumbung.stages.extract.llm import LlmExtractor

            return LlmExtractor(inference, profile, gazetteer, inference.endpoints[0].model)
        translation = self.translation(inference)
        if translation is None:
            return None
        from lumbung.stages.extract.translated import TranslatedReader

        return TranslatedReader(translation, profile, gazetteer)

    def archive(self) -> Archive:
        operator = self.settings.crawl.contact or "no contact address is set"
        if (bucket := bucket_of(self.settings)) is not None:
            return ThreadedArchive(WarcObjects(ObjectStore(bucket, "warc"), operator))
        return ThreadedArchive(WarcFolder(self.settings.archive_folder, operator))

    def pictures(self) -> PictureShelf:
        if (bucket := bucket_of(self.settings)) is not None:
            return PictureObjects(ObjectStore(bucket, "pictures"))
        return PictureFolder(self.settings.archive_folder / "pictures")

    async def _sensitive_to_hosted(self) -> bool:
        async with self.machine.transaction() as tx:
            return bool((await governed.values_now(tx)).get("inference.sensitive_to_hosted", False))
