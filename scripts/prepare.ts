/** `node scripts/prepare.ts`: makes the files that no commit holds, which everything else needs: the API's documents and the dashboard. */
import './openapi.ts';
import '../web/app/build-app.ts';
