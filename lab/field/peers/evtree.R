# Fit evtree on a table of numbers, or predict with a tree that was fitted: evtree.R fit|predict FOLDER [settings]
suppressMessages(library(evtree))
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[2]
read_table <- function(name) {
  shape <- scan(file.path(folder, paste0(name, ".shape")), quiet = TRUE)
  values <- readBin(file.path(folder, paste0(name, ".bin")), "double", shape[1] * shape[2])
  data.frame(matrix(values, shape[1], shape[2]))
}
if (arguments[1] == "fit") {
  given <- as.numeric(arguments[-(1:2)])
  rows <- read_table("X")
  rows$y <- factor(scan(file.path(folder, "y.txt"), quiet = TRUE))
  control <- evtree.control(
    niterations = given[1], ntrees = given[2], alpha = given[3], maxdepth = given[4], minbucket = given[5],
    minsplit = given[6], seed = given[7]
  )
  before <- proc.time()
  tree <- evtree(y ~ ., data = rows, control = control)
  took <- proc.time() - before
  saveRDS(tree, file.path(folder, "tree.rds"))
  cat(took[["elapsed"]], took[["user.self"]] + took[["sys.self"]], width(tree), depth(tree), "\n")
} else {
  tree <- readRDS(file.path(folder, "tree.rds"))
  labels <- predict(tree, newdata = read_table("all"), type = "response")
  write(as.character(labels), file.path(folder, "labels.txt"), ncolumns = 1)
}
