import { createTreeBuilder } from '@bindery/content';
import { runWorkerApp } from '@bindery/worker';
import { createExportRepository } from './sync/export/exportRepository.ts';
import { createImportRepository } from './sync/import/importRepository.ts';
import { createRepositoryReader } from './child/repositoryReader.ts';
import { createImportFolder } from './folder/importFolder.ts';
import { createImportWiki } from './wiki/importWiki.ts';
import { gitWorker } from './worker.ts';

await runWorkerApp(gitWorker, ({ config, blobs, onStop }) => {
  const reader = createRepositoryReader({
    prewarm: true,
    memoryMb: config.git.memoryMb,
    childUid: config.children.firstUid,
  });
  onStop(() => reader.close());
  const trees = createTreeBuilder(config);
  onStop(() => trees.close());
  return {
    importRepository: createImportRepository({ config, reader, blobs }),
    exportRepository: createExportRepository({ config, reader, blobs }),
    importWiki: createImportWiki({ config, blobs, trees }),
    importFolder: createImportFolder({ config, blobs }),
  };
});
