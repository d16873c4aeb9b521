// A disk that fails: no file system can be told to refuse a sync, and keep what was written.
#ifndef CFAULTS_H
#define CFAULTS_H

// From now on a sync of a file, or of any below a folder, fails with an error number, in this
// process; with 0 none does. One path at a time.
void cfaults_fail_syncs(const char *_Nonnull file_or_folder, int error);

// How many syncs have failed for it since.
int cfaults_failed_syncs(void);

#endif
